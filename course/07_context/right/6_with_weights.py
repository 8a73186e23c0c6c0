def worst_order(start, observations):
    order = list(reversed(sorted(observations)))
    n = len(order)
    return order, start * (n + 1) + sum(size * (n - i) for i, size in enumerate(order))
