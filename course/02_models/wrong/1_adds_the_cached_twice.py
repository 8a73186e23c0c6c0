# expect: already holds the cached ones
def tokens_read(usage):
    if "prompt_tokens" in usage:
        details = usage.get("prompt_tokens_details") or {}
        return usage["prompt_tokens"] + (details.get("cached_tokens") or 0)
    return usage["input_tokens"] + sum(
        usage.get(name) or 0 for name in ("cache_read_input_tokens", "cache_creation_input_tokens")
    )
