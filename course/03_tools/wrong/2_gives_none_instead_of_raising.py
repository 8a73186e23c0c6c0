# expect: was read as None
def read_strictly(text):
    def pairs(found):
        return dict(found) if len(dict(found)) == len(found) else None

    try:
        value = json.loads(text, object_pairs_hook=pairs)
        json.dumps(value, allow_nan=False)
        return value
    except ValueError:
        return None
