# expect: parse_constant sees it
def read_strictly(text):
    def pairs(found):
        if len(dict(found)) < len(found):
            raise ValueError(str(found))
        return dict(found)

    def number(digits):
        if float(digits) in (math.inf, -math.inf):
            raise ValueError(digits)
        return float(digits)

    return json.loads(text, object_pairs_hook=pairs, parse_float=number)
