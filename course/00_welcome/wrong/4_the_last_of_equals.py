# expect: the earlier
def heaviest(events):
    best = None
    for event in events:
        if isinstance(event, ModelReplied):
            tokens = event.reply.usage.input_tokens
            if best is None or tokens >= best[1]:
                best = (event.step, tokens)
    return best
