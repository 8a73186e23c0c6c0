# expect: does not end with the last
def truncate(text, limit):
    if len(text) <= limit:
        return text
    note = f"[{len(text)} characters, cut]"
    return (text[: max(0, limit - len(note))] + note)[:limit]
