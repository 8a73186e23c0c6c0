# expect: Steps are counted from 1
def heaviest(events):
    tokens = [e.reply.usage.input_tokens for e in events if isinstance(e, ModelReplied)]
    return (tokens.index(max(tokens)), max(tokens)) if tokens else None
