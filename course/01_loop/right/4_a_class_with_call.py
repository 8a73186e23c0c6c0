def with_budget(ask, steps=None, tokens=None):
    class Limited:
        def __init__(self):
            self.made, self.spent = 0, 0

        async def __call__(self, history):
            if steps is not None and self.made == steps:
                raise BudgetExhausted("no steps left")
            if tokens is not None and self.spent >= tokens:
                raise BudgetExhausted("no tokens left")
            self.made += 1
            reply = await ask(history)
            self.spent += reply.usage.input_tokens + reply.usage.output_tokens
            return reply

    return Limited()
