async def loop(ask, act, review, history):
    while True:
        reply = await ask(history)
        history.add(reply.message())
        if not reply.calls:
            objection = await review(reply)
            if objection is None:
                return reply
            history.add(user(objection))
        else:
            answers = await act(reply.calls)
            history.add(results(answers))
