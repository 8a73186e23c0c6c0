def tokens_read(start, increment, steps):
    history, total = start, 0
    for _ in range(steps):
        total += history
        history += increment
    return total
