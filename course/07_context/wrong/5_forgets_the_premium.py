# expect: Writing to the cache has its premium
def saving(start, increment, steps, price, premium):
    reads = [start + increment * i for i in range(steps)]
    return sum(reads[:-1]) * (price.input - price.cache_read) / 1e6
