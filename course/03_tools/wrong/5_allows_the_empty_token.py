# expect: An empty token changes nothing
def allowed(tokens, words, prefix):
    return {
        n
        for n, token in enumerate(tokens)
        if (prefix in words if token == "<end>" else any(word.startswith(prefix + token) for word in words))
    }
