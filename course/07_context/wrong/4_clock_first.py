# expect: The clock stands before the history
def request(system, tools, history, clock):
    listed = json.dumps(sorted(tools, key=lambda tool: tool["name"]), sort_keys=True)
    return "\n".join([f"It is {clock}.", system, listed, *history])
