def failed_calls(events):
    names = []
    for event in events:
        if event.kind == "tool_finished" and event.result.is_error:
            names.append(event.name)
    return names
