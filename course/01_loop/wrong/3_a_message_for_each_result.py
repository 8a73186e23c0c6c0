# expect: one message with both results
async def loop(ask, act, review, history):
    while True:
        reply = await ask(history)
        history.add(reply.message())
        if reply.calls:
            for result in await act(reply.calls):
                history.add(results([result]))
            continue
        objection = await review(reply)
        if objection is None:
            return reply
        history.add(user(objection))
