# expect: the estimate in the request
def heaviest(events):
    asked = [(e.step, e.tokens) for e in events if isinstance(e, ModelAsked)]
    return max(asked, key=lambda pair: pair[1], default=None)
