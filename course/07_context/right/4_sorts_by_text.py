def request(system, tools, history, clock):
    lines = sorted(json.dumps(tool, sort_keys=True) for tool in tools)
    text = system + "\n\n" + "\n".join(lines) + "\n\n"
    for message in history:
        text += message + "\n"
    return text + "now: " + clock
