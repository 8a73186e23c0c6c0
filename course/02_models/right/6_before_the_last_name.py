def cut_call(files):
    start = json.dumps({"keep": files[:-1]}, ensure_ascii=False)[:-2]
    text = start + ", " + json.dumps(files[-1], ensure_ascii=False) + "]}"
    return text, len(start)
