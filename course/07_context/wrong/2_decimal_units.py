# expect: the units are not
def cache_gib(start, increment, steps, kib_per_token):
    return (start + increment * steps) * kib_per_token * 1000 / 1e9
