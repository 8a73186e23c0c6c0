def heaviest(events):
    replied = [event for event in events if event.kind == "model_replied"]
    ranked = sorted(replied, key=lambda event: (-event.reply.usage.input_tokens, event.step))
    return (ranked[0].step, ranked[0].reply.usage.input_tokens) if ranked else None
