# expect: met an objection
async def loop(ask, act, review, history):
    while True:
        reply = await ask(history)
        history.add(reply.message())
        if not reply.calls:
            return reply
        history.add(results(await act(reply.calls)))
