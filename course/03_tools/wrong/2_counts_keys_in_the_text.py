# expect: a key may come again in another object
def read_strictly(text):
    import re

    keys = re.findall(r'"([^"]*)"\s*:', text)
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"{key} stands twice")
    if "NaN" in text.replace('"NaN"', "") or "Infinity" in text:
        raise ValueError("not a number")
    return json.loads(text, parse_float=lambda d: float(d) if math.isfinite(float(d)) else 1 / 0)
