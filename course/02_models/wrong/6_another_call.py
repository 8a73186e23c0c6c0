# expect: the call is
def cut_call(files):
    text = json.dumps({"keep": files[:-1]})
    return text, len(text) - 1
