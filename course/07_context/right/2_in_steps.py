def cache_gib(start, increment, steps, kib_per_token):
    tokens = start
    for _ in range(steps):
        tokens += increment
    gib = tokens * kib_per_token / 1024 / 1024
    return gib
