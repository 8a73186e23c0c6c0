def tokens_read(usage):
    names = ["prompt_tokens", "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"]
    return sum(filter(None, map(usage.get, names)))
