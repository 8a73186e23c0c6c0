# expect: Refuse before asking
def with_budget(ask, steps=None, tokens=None):
    made = spent = 0

    async def limited(history):
        nonlocal made, spent
        reply = await ask(history)
        if steps is not None and made >= steps:
            raise BudgetExhausted("steps are used up")
        if tokens is not None and spent >= tokens:
            raise BudgetExhausted("tokens are used up")
        made += 1
        spent += reply.usage.total
        return reply

    return limited
