# expect: Both slips are still there
def cache_gib(start, increment, steps, kib_per_token):
    last_input = start + increment * (steps - 1)
    return last_input * kib_per_token * 1000 / 1e9
