async def run_together(calls, tools, seconds):
    async def safely(wanted):
        try:
            value = await asyncio.wait_for(tools[wanted.name](**json.loads(wanted.arguments)), seconds)
        except asyncio.TimeoutError:
            return ToolResult(wanted.id, "too slow", True)
        except Exception as error:
            return ToolResult(wanted.id, repr(error), True)
        return ToolResult(wanted.id, value)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(safely(wanted)) for wanted in calls]
    return [task.result() for task in tasks]
