def allowed(tokens, words, prefix):
    rests = [word.removeprefix(prefix) for word in words if word[: len(prefix)] == prefix]
    return [
        number
        for number, token in enumerate(tokens)
        if (token == "<end>" and "" in rests)
        or (token and token != "<end>" and any(r[: len(token)] == token for r in rests))
    ]
