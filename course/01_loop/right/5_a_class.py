class Reviewer:
    def __init__(self, verify, most):
        self.verify, self.most, self.reasons = verify, most, []

    async def __call__(self, reply):
        why = "Say something." if not reply.text.split() else await self.verify(reply.text)
        if why is None:
            return None
        self.reasons.append(why)
        if len(self.reasons) > self.most:
            raise Failed(f"{len(self.reasons)} objections, the last: {self.reasons[-1]}")
        return why


def reviewer(verify, most):
    return Reviewer(verify, most)
