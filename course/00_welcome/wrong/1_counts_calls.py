# expect: a reply need not make one
def replies(events):
    return len([event for event in events if isinstance(event, ToolFinished)])
