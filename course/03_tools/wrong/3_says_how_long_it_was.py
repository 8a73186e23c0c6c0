# expect: are missing, but the note says
def truncate(text, limit):
    if len(text) <= limit:
        return text
    note = f"\n[cut, was {len(text)} characters]\n"
    room = limit - len(note)
    if room < 0:
        return text[:limit]
    head = room // 2
    return text[:head] + note + text[len(text) - (room - head) :]
