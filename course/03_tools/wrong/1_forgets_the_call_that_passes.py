# expect: The call that is accepted counts too
def calls_needed(mistakes, told):
    return math.ceil(mistakes / told)
