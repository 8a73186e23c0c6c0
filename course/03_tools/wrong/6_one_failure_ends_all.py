# expect: costs the others nothing
async def run_together(calls, tools, seconds):
    async def one(wanted):
        try:
            async with asyncio.timeout(seconds):
                return ToolResult(wanted.id, await tools[wanted.name](**json.loads(wanted.arguments)))
        except TimeoutError:
            return ToolResult(wanted.id, "too slow", is_error=True)

    return await asyncio.gather(*(one(wanted) for wanted in calls))
