# expect: finds everything held again
def positions(start, increment, steps, broken):
    work, lost = [], False
    for i in range(steps):
        lost = lost or i + 1 in broken
        work.append(start + increment * i if lost or i == 0 else increment)
    return work
