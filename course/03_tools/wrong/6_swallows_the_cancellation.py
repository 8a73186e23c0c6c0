# expect: did not pass the cancellation on
async def run_together(calls, tools, seconds):
    async def one(wanted):
        try:
            async with asyncio.timeout(seconds):
                return ToolResult(wanted.id, await tools[wanted.name](**json.loads(wanted.arguments)))
        except BaseException as error:
            return ToolResult(wanted.id, repr(error), is_error=True)

    tasks = [asyncio.ensure_future(one(wanted)) for wanted in calls]
    try:
        return await asyncio.gather(*tasks)
    except asyncio.CancelledError:
        return [await task for task in tasks]
