# expect: share only
def request(system, tools, history, clock):
    listed = json.dumps(sorted(tools, key=lambda tool: tool["name"]), sort_keys=True)
    return "\n".join([system, listed, *reversed(history), clock])
