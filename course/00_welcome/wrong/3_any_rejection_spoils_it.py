# expect: turned down, the model went on
def believed(events):
    if any(isinstance(event, CompletionRejected) for event in events):
        return False
    return any(isinstance(event, RunStopped) and event.state == "completed" for event in events)
