# expect: before any observation
def worst_order(start, observations):
    order = sorted(observations, reverse=True)
    history, total = start, 0
    for size in order:
        history += size
        total += history
    return order, total
