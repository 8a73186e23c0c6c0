# expect: only what is new is processed
def positions(start, increment, steps, broken):
    return [start + increment * i for i in range(steps)]
