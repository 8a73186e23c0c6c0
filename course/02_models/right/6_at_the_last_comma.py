def cut_call(files):
    text = json.dumps({"keep": files})
    return text, text.rfind(",")
