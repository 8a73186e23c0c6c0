# expect: a reply that makes calls was reviewed
async def loop(ask, act, review, history):
    while True:
        reply = await ask(history)
        history.add(reply.message())
        objection = await review(reply)
        if reply.calls:
            history.add(results(await act(reply.calls)))
        elif objection is None:
            return reply
        else:
            history.add(user(objection))
