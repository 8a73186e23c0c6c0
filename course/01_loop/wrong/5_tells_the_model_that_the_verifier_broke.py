# expect: The model cannot mend a verifier
def reviewer(verify, most):
    objections = 0

    async def review(reply):
        nonlocal objections
        try:
            why = await verify(reply.text) if reply.text.strip() else "empty"
        except Exception as error:
            why = f"the verifier failed: {error}"
        if why is None:
            return None
        objections += 1
        if objections > most:
            raise Failed(why)
        return why

    return review
