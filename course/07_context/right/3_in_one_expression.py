def positions(start, increment, steps, broken):
    return [start + increment * i if i == 0 or i + 1 in broken else increment for i in range(steps)]
