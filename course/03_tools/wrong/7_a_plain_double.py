# expect: the guard finds 2 paths
def two_faced(seen, done):
    return json.dumps({"path": seen})[:-1] + ", " + json.dumps({"path": done})[1:]
