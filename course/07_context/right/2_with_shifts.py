KIB, GIB = 1 << 10, 1 << 30


def cache_gib(start, increment, steps, kib_per_token):
    history = start + steps * increment
    return history * (kib_per_token * KIB) / GIB
