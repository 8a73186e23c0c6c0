# expect: The first request holds one message
def messages_read(calls):
    return sum(2 + 2 * i for i in range(calls))
