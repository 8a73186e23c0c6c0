async def loop(ask, act, review, history):
    reply = await ask(history)
    history.add(reply.message())
    if reply.calls:
        following = results(await act(reply.calls))
    elif (objection := await review(reply)) is None:
        return reply
    else:
        following = user(objection)
    history.add(following)
    return await loop(ask, act, review, history)
