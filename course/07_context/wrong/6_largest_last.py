# expect: where only one call reads it
def worst_order(start, observations):
    order = sorted(observations)
    history = total = start
    for size in order:
        history += size
        total += history
    return order, total
