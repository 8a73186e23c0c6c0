# expect: begins none of them
def allowed(tokens, words, prefix):
    return {
        n
        for n, token in enumerate(tokens)
        if (token == "<end>" and prefix in words) or (token and any(word.startswith(token) for word in words))
    }
