# expect: begins none of them
def allowed(tokens, words, prefix):
    found = set()
    for number, token in enumerate(tokens):
        after = prefix + token
        if token == "<end>":
            if prefix in words:
                found.add(number)
        elif token and any(
            word.startswith(after) or (word.startswith(prefix) and after.startswith(word)) for word in words
        ):
            found.add(number)
    return found
