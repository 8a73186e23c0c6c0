# expect: not in the order
def failed_calls(events):
    return sorted(event.name for event in events if isinstance(event, ToolFinished) and event.result.is_error)
