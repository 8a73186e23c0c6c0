def worst_order(start, observations):
    import itertools

    def reads(order):
        return sum(itertools.accumulate([start, *order]))

    best = max(itertools.permutations(sorted(observations, reverse=True)), key=reads)
    return list(best), reads(best)
