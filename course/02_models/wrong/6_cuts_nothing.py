# expect: cuts something off
def cut_call(files):
    text = json.dumps({"keep": files[:-1]})
    return text, len(text)
