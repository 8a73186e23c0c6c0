# expect: somebody else's
def worst_order(start, observations):
    observations.sort(reverse=True)
    history = total = start
    for size in observations:
        history += size
        total += history
    return observations, total
