# expect: a reply is missing
async def loop(ask, act, review, history):
    while True:
        reply = await ask(history)
        if not reply.calls:
            objection = await review(reply)
            if objection is None:
                return reply
            history.add(reply.message())
            history.add(user(objection))
        else:
            history.add(reply.message())
            history.add(results(await act(reply.calls)))
