# expect: failed twice stands there twice
def failed_calls(events):
    names = [event.name for event in events if isinstance(event, ToolFinished) and event.result.is_error]
    return list(dict.fromkeys(names))
