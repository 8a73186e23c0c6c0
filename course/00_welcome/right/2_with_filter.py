def failed_calls(events):
    finished = filter(lambda event: isinstance(event, ToolFinished), events)
    return list(map(lambda event: event.name, filter(lambda event: event.result.is_error, finished)))
