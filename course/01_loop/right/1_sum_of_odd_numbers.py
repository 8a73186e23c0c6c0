def messages_read(calls):
    return sum(1 + 2 * i for i in range(calls))
