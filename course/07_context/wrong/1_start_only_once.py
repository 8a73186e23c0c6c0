# expect: Every call reads the start again
def tokens_read(start, increment, steps):
    return start + increment * steps * (steps - 1) // 2
