# expect: mistakes, not one
def calls_needed(mistakes, told):
    return 1 + mistakes
