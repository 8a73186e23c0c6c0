# expect: Calls are counted from 1
def positions(start, increment, steps, broken):
    return [start + increment * i if i == 0 or i in broken else increment for i in range(steps)]
