def truncate(text, limit):
    width = 40
    if len(text) <= limit:
        return text
    if limit < width:
        return text[:limit]
    half = (limit - width) // 2
    note = f" ...{len(text) - 2 * half} left out... "[:width]
    return "".join([text[:half], note, text[len(text) - half :]])
