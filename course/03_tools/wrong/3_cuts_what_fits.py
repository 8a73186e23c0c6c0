# expect: It fits; leave it alone
def truncate(text, limit):
    note = "\n[… {} characters cut …]\n"
    room = limit - len(note.format(len(text)))
    if len(text) < limit:
        return text
    if room < 0:
        return text[: limit - 1] if limit else ""
    head = room // 2
    return text[:head] + note.format(len(text) - room) + text[len(text) - (room - head) :]
