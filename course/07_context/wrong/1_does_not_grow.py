# expect: nothing was added for that
def tokens_read(start, increment, steps):
    return start * steps
