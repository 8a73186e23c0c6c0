# expect: Return a pair
def heaviest(events):
    return max((e.reply.usage.input_tokens for e in events if isinstance(e, ModelReplied)), default=None)
