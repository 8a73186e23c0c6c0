def saving(start, increment, steps, price, premium):
    saved = 0.0
    for i in range(steps):
        length = start + increment * i
        new = start if i == 0 else increment
        saved += length * price.input - new * premium * price.input - (length - new) * price.cache_read
    return saved / 1_000_000
