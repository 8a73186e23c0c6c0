# expect: return None
def heaviest(events):
    pairs = [(e.step, e.reply.usage.input_tokens) for e in events if isinstance(e, ModelReplied)]
    return max(pairs, key=lambda pair: pair[1])
