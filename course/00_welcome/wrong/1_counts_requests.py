# expect: some of them failed
def replies(events):
    return sum(isinstance(event, ModelAsked) for event in events)
