# expect: not a whole word
def allowed(tokens, words, prefix):
    return {
        n
        for n, token in enumerate(tokens)
        if token == "<end>" or (token and any(word.startswith(prefix + token) for word in words))
    }
