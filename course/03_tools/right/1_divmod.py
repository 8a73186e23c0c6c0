calls_needed = lambda mistakes, told: 1 + sum(divmod(mistakes + told - 1, told)[:1])
