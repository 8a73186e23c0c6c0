def positions(start, increment, steps, broken):
    lengths = [start + increment * i for i in range(steps)]
    before = [0, *lengths]
    return [new if call in broken else new - old for call, (new, old) in enumerate(zip(lengths, before), 1)]
