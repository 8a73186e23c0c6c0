# expect: The state is the harness's word
def believed(events):
    return any(isinstance(event, RunStopped) for event in events)
