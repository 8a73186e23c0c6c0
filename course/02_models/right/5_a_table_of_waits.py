def wait_before(attempt, status, headers, chance):
    own = {1: 0.5, 2: 1.0}.get(attempt)
    if own is None:
        return None
    if status is not None and status not in (408, 409, 429, *range(500, 600)):
        return None
    try:
        seconds = float(headers["retry-after"])
        valid = 0 <= seconds < float("inf")
    except (KeyError, ValueError):
        valid = False
    if not valid:
        return own * chance
    return seconds if seconds <= 30 else None
