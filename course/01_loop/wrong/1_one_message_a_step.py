# expect: A step adds two messages
def messages_read(calls):
    return sum(range(1, calls + 1))
