# expect: it should keep all but the last
def cut_call(files):
    text = json.dumps({"keep": files})
    return text, len(text) - 1
