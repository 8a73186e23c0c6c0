# expect: Those are all calls
def failed_calls(events):
    return [event.name for event in events if isinstance(event, ToolFinished)]
