def with_budget(ask, steps=None, tokens=None):
    replies = []

    async def limited(history):
        used = {"steps": len(replies), "tokens": sum(reply.usage.total for reply in replies)}
        for name, limit in (("steps", steps), ("tokens", tokens)):
            if limit is not None and used[name] >= limit:
                raise BudgetExhausted(f"{name}: {used[name]} used of {limit}")
        replies.append(await ask(history))
        return replies[-1]

    return limited
