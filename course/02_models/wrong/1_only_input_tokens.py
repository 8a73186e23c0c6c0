# expect: leaves out what was read from the cache
def tokens_read(usage):
    return usage.get("prompt_tokens", 0) or usage["input_tokens"]
