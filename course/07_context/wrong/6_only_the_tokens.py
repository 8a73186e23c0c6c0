# expect: return a pair
def worst_order(start, observations):
    history = total = start
    for size in sorted(observations, reverse=True):
        history += size
        total += history
    return total
