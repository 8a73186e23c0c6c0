# expect: Raise Failed
def reviewer(verify, most):
    async def review(reply):
        if not reply.text.strip():
            return "empty"
        return await verify(reply.text)

    return review
