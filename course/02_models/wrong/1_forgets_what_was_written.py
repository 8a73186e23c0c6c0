# expect: what was written to it
def tokens_read(usage):
    return usage.get("prompt_tokens") or usage["input_tokens"] + (usage.get("cache_read_input_tokens") or 0)
