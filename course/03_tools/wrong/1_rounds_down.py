# expect: The last refusal may name fewer
def calls_needed(mistakes, told):
    return 1 + mistakes // told
