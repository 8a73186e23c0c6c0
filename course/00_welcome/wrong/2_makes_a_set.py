# expect: return a list
def failed_calls(events):
    return {event.name for event in events if isinstance(event, ToolFinished) and event.result.is_error}
