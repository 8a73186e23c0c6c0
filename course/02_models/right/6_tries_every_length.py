def cut_call(files):
    text = json.dumps(dict(keep=files), separators=(",", ":"))
    for length in range(len(text) - 1, 0, -1):
        try:
            if from_json(text[:length].encode(), partial_mode=True) == {"keep": files[:-1]}:
                return text, length
        except ValueError:
            pass
