def heaviest(events):
    best = None
    for event in events:
        if not isinstance(event, ModelReplied):
            continue
        tokens = event.reply.usage.input_tokens
        if best is None or tokens > best[1]:
            best = (event.step, tokens)
    return best
