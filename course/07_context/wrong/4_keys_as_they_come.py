# expect: Write the keys in one order too
def request(system, tools, history, clock):
    listed = json.dumps(sorted(tools, key=lambda tool: tool["name"]))
    return "\n".join([system, listed, *history, clock])
