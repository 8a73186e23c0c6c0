# expect: must be allowed
def allowed(tokens, words, prefix):
    found = {n for n, token in enumerate(tokens) if token and prefix + token in words}
    return found | {n for n, token in enumerate(tokens) if token == "<end>" and prefix in words}
