# expect: is a whole word
def allowed(tokens, words, prefix):
    return {n for n, token in enumerate(tokens) if token and any(w.startswith(prefix + token) for w in words)}
