def read_strictly(text):
    class Doubled(ValueError):
        pass

    def once(pairs):
        names = [name for name, _ in pairs]
        for name in names:
            if names.count(name) > 1:
                raise Doubled(f"{name} twice")
        return dict(pairs)

    def walk(value):
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError("not a finite number")
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(inner)
        return value

    return walk(json.loads(text, object_pairs_hook=once))
