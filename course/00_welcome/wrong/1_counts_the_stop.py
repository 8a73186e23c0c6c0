# expect: the stop is not a reply
def replies(events):
    return len([event for event in events if isinstance(event, (ModelReplied, RunStopped))])
