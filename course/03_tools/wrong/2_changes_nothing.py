# expect: stands twice in one object
def read_strictly(text):
    return json.loads(text)
