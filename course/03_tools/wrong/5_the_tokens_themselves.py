# expect: return token numbers
def allowed(tokens, words, prefix):
    return {token for token in tokens if token and any(word.startswith(prefix + token) for word in words)}
