def allowed(tokens, words, prefix):
    beginnings = {word[:n] for word in words for n in range(len(word) + 1)}
    fits = {
        n for n, token in enumerate(tokens) if token not in ("", "<end>") and prefix + token in beginnings
    }
    return fits | {n for n, token in enumerate(tokens) if token == "<end>" and prefix in set(words)}
