# expect: came back with
def truncate(text, limit):
    if len(text) <= limit:
        return text
    half = limit // 2
    return text[:half] + f"[{len(text) - 2 * half} cut]" + text[len(text) - half :]
