# expect: the guard finds 2 paths
def two_faced(seen, done):
    return '{"path": "%s", "p\u0061th": "%s"}' % (seen, done)
