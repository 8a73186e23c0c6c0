# expect: for a million tokens
def saving(start, increment, steps, price, premium):
    total = sum(start + increment * i for i in range(steps))
    new = start + increment * (steps - 1) if steps else 0
    return total * price.input - new * premium * price.input - (total - new) * price.cache_read
