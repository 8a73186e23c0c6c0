def calls_needed(mistakes, told):
    calls = 1
    while mistakes > 0:
        mistakes -= told
        calls += 1
    return calls
