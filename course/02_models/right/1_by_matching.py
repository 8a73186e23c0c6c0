def tokens_read(usage):
    match usage:
        case {"prompt_tokens": everything}:
            return everything
        case {"input_tokens": new, **rest}:
            return (
                new
                + (rest.get("cache_read_input_tokens") or 0)
                + (rest.get("cache_creation_input_tokens") or 0)
            )
