# expect: Longer than 30 seconds
def wait_before(attempt, status, headers, chance):
    passing = status is None or status in (408, 409, 429) or status >= 500
    if attempt >= 3 or not passing:
        return None
    try:
        asked = float(headers.get("retry-after", ""))
    except ValueError:
        asked = -1.0
    if asked >= 0:
        return asked
    return 0.5 * 2 ** (attempt - 1) * chance
