def believed(events):
    last = events[-1] if events else None
    return getattr(last, "state", None) == "completed"
