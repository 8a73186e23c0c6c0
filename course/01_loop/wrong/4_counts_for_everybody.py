# expect: Keep the count inside with_budget
counts = {}


def with_budget(ask, steps=None, tokens=None):
    async def limited(history):
        key = (steps, tokens)
        made, spent = counts.get(key, (0, 0))
        if steps is not None and made >= steps:
            raise BudgetExhausted("steps are used up")
        if tokens is not None and spent >= tokens:
            raise BudgetExhausted("tokens are used up")
        reply = await ask(history)
        counts[key] = (made + 1, spent + reply.usage.total)
        return reply

    return limited
