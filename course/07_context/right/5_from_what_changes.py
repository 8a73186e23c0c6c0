def saving(start, increment, steps, price, premium):
    reads = [start + increment * i for i in range(steps)]
    old = sum(reads[:-1]) if steps else 0
    new = sum(reads) - old
    return (old * (price.input - price.cache_read) - new * price.input * (premium - 1)) / 10**6
