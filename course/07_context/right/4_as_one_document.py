def request(system, tools, history, clock):
    named = {tool["name"]: dict(sorted(tool.items())) for tool in tools}
    parts = {"system": system, "tools": dict(sorted(named.items())), "history": history}
    return json.dumps(parts).removesuffix("]}") + f" | {clock}]}}"
