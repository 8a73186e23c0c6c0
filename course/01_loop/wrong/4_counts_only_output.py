# expect: Add up usage.total
def with_budget(ask, steps=None, tokens=None):
    made = spent = 0

    async def limited(history):
        nonlocal made, spent
        if steps is not None and made >= steps:
            raise BudgetExhausted("steps are used up")
        if tokens is not None and spent >= tokens:
            raise BudgetExhausted("tokens are used up")
        reply = await ask(history)
        made += 1
        spent += reply.usage.output_tokens
        return reply

    return limited
