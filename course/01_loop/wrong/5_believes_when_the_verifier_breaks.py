# expect: false success in its purest form
def reviewer(verify, most):
    objections = 0

    async def review(reply):
        nonlocal objections
        if not reply.text.strip():
            return "empty"
        try:
            why = await verify(reply.text)
        except Exception:
            return None
        if why is None:
            return None
        objections += 1
        if objections > most:
            raise Failed(why)
        return why

    return review
