def truncate(text, limit):
    if len(text) <= limit:
        return text
    for keep in range(limit, -1, -1):
        tail = keep // 2
        made = (
            f"{text[: keep - tail]} <{len(text) - keep:,} missing> {text[len(text) - tail :] if tail else ''}"
        )
        if len(made) <= limit:
            return made
    return text[: max(0, limit)]
