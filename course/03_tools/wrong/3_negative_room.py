# expect: mind slices with 0 and below
def truncate(text, limit):
    if len(text) <= limit:
        return text
    room = limit - 40
    head = room // 2
    tail = room - head
    return text[:head] + f"\n[… {len(text) - room} cut …]\n" + text[-tail:]
