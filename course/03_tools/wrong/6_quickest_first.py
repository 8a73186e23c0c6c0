# expect: Keep the order of the calls
async def run_together(calls, tools, seconds):
    async def one(wanted):
        try:
            async with asyncio.timeout(seconds):
                return ToolResult(wanted.id, await tools[wanted.name](**json.loads(wanted.arguments)))
        except TimeoutError:
            return ToolResult(wanted.id, "too slow", is_error=True)
        except Exception as error:
            return ToolResult(wanted.id, str(error) or "failed", is_error=True)

    return [await each for each in asyncio.as_completed([one(wanted) for wanted in calls])]
