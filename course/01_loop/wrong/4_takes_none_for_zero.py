# expect: None is no limit
def with_budget(ask, steps=None, tokens=None):
    made = spent = 0

    async def limited(history):
        nonlocal made, spent
        if steps is not None and made >= steps:
            raise BudgetExhausted("steps are used up")
        if spent >= (tokens or 0) and made:
            raise BudgetExhausted("tokens are used up")
        reply = await ask(history)
        made += 1
        spent += reply.usage.total
        return reply

    return limited
