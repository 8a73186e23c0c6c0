# expect: has to be stopped
async def run_together(calls, tools, seconds):
    async def one(wanted):
        try:
            return ToolResult(wanted.id, await tools[wanted.name](**json.loads(wanted.arguments)))
        except Exception as error:
            return ToolResult(wanted.id, str(error) or "failed", is_error=True)

    return await asyncio.gather(*(one(wanted) for wanted in calls))
