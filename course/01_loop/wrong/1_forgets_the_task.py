# expect: The task is a message too
def messages_read(calls):
    return sum(2 * i for i in range(calls))
