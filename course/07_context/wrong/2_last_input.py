# expect: own increment is in the history too
def cache_gib(start, increment, steps, kib_per_token):
    return (start + increment * (steps - 1)) * kib_per_token * 1024 / 1024**3
