# expect: replies you counted
def replies(events):
    return len([event for event in events if event.step > 0])
