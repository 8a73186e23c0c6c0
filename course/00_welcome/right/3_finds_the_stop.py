def believed(events):
    stops = [event for event in events if isinstance(event, RunStopped)]
    return bool(stops) and stops[-1].state == "completed"
