# expect: cheap, and not free
def saving(start, increment, steps, price, premium):
    total = sum(start + increment * i for i in range(steps))
    new = start + increment * (steps - 1) if steps else 0
    return (total * price.input - new * premium * price.input) / 1e6
