# expect: the answer is the model's
def believed(events):
    return any(isinstance(event, RunStopped) and "pass" in event.answer for event in events)
