# expect: has no number in it
def truncate(text, limit):
    if len(text) <= limit:
        return text
    if limit < 3:
        return text[:limit]
    head = (limit - 3) // 2
    tail = limit - 3 - head
    return text[:head] + "..." + text[len(text) - tail :]
