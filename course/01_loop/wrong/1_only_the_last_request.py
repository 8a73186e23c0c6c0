# expect: the last request alone
def messages_read(calls):
    return 2 * calls - 1
