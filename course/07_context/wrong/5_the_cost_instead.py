# expect: not what is saved
def saving(start, increment, steps, price, premium):
    total = sum(start + increment * i for i in range(steps))
    new = start + increment * (steps - 1) if steps else 0
    return (new * premium * price.input + (total - new) * price.cache_read) / 1e6
