# expect: a tool still runs
async def run_together(calls, tools, seconds):
    async def start(wanted):
        return await tools[wanted.name](**json.loads(wanted.arguments))

    tasks = [asyncio.ensure_future(start(wanted)) for wanted in calls]
    done, _ = await asyncio.wait(tasks, timeout=seconds)
    found = []
    for task, wanted in zip(tasks, calls):
        if task not in done:
            found.append(ToolResult(wanted.id, "too slow", is_error=True))
        elif task.exception():
            found.append(ToolResult(wanted.id, str(task.exception()), is_error=True))
        else:
            found.append(ToolResult(wanted.id, task.result()))
    return found
