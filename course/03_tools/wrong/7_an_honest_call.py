# expect: opens
def two_faced(seen, done):
    return json.dumps({"path": seen})
