# expect: the last call alone
def tokens_read(start, increment, steps):
    return start + increment * (steps - 1)
