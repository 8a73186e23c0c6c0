# expect: the objection must be a user message
async def loop(ask, act, review, history):
    while True:
        reply = await ask(history)
        history.add(reply.message())
        if reply.calls:
            history.add(results(await act(reply.calls)))
        elif await review(reply) is None:
            return reply
