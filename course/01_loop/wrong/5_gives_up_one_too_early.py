# expect: objections came before Failed
def reviewer(verify, most):
    objections = 0

    async def review(reply):
        nonlocal objections
        why = await verify(reply.text) if reply.text.strip() else "empty"
        if why is None:
            return None
        objections += 1
        if objections >= most:
            raise Failed(why)
        return why

    return review
