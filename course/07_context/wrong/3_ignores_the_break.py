# expect: its whole request
def positions(start, increment, steps, broken):
    return [start] + [increment] * (steps - 1)
