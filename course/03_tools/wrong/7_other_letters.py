# expect: keeps the last
def two_faced(seen, done):
    return json.dumps({"path": seen, "Path": done})
