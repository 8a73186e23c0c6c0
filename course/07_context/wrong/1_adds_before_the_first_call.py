# expect: The first call reads no increment
def tokens_read(start, increment, steps):
    return sum(start + increment * i for i in range(1, steps + 1))
