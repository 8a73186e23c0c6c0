def wait_before(attempt, status, headers, chance):
    import re

    if (
        attempt > 2
        or status in {400, 401, 403, 404}
        or (status and status < 500 and status not in {408, 409, 429})
    ):
        return None
    asked = headers.get("retry-after") or ""
    if re.fullmatch(r"\d+(\.\d+)?", asked):
        return None if float(asked) > 30 else float(asked)
    return chance * (0.5 if attempt == 1 else 1.0)
