def replies(events):
    return len([event for event in events if event.kind == "model_replied"])
