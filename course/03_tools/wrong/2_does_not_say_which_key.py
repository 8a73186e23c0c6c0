# expect: name the key
def read_strictly(text):
    def pairs(found):
        if len(dict(found)) < len(found):
            raise ValueError("doubled key")
        return dict(found)

    value = json.loads(text, object_pairs_hook=pairs)
    json.dumps(value, allow_nan=False)
    return value
