# expect: Give them one order
def request(system, tools, history, clock):
    return "\n".join([system, json.dumps(tools, sort_keys=True), *history, clock])
