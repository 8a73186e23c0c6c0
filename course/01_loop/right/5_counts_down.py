def reviewer(verify, most):
    left = [most]

    async def review(reply):
        text = reply.text
        if text.strip() == "":
            why = "that was an empty answer"
        else:
            why = await verify(text)
        if why is not None:
            left[0] -= 1
            if left[0] < 0:
                raise Failed("gave up: " + why)
        return why

    return review
