# expect: only the second and third are errors
async def run_together(calls, tools, seconds):
    async def one(wanted):
        try:
            async with asyncio.timeout(seconds):
                return ToolResult(wanted.id, await tools[wanted.name](**json.loads(wanted.arguments)))
        except Exception as error:
            return ToolResult(wanted.id, repr(error))

    return await asyncio.gather(*(one(wanted) for wanted in calls))
