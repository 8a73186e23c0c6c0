# expect: That is in MiB
def cache_gib(start, increment, steps, kib_per_token):
    return (start + increment * steps) * kib_per_token / 1024
