def read_strictly(text):
    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("doubled: " + ", ".join(name for name, _ in pairs))
        return dict(pairs)

    value = json.loads(text, object_pairs_hook=once)
    json.dumps(value, allow_nan=False)
    return value
