# expect: larger than any float
def read_strictly(text):
    def pairs(found):
        if len(dict(found)) < len(found):
            raise ValueError(str(found))
        return dict(found)

    def constant(name):
        raise ValueError(name)

    return json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
