# expect: keeps the last
def two_faced(seen, done):
    return '{"p\\u0061th": "%s", "path": "%s"}' % (done, seen)
