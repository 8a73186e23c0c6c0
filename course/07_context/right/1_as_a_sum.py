def tokens_read(start, increment, steps):
    return sum(range(start, start + increment * steps, increment)) if increment else start * steps
