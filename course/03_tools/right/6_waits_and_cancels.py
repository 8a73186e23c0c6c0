async def run_together(calls, tools, seconds):
    async def start(wanted):
        return await tools[wanted.name](**json.loads(wanted.arguments))

    tasks = {asyncio.create_task(start(wanted)): wanted for wanted in calls}
    try:
        await asyncio.wait(tasks, timeout=seconds)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    found = []
    for task, wanted in tasks.items():
        if task.cancelled():
            found.append(ToolResult(wanted.id, f"no answer in {seconds} s", is_error=True))
        elif task.exception():
            found.append(ToolResult(wanted.id, str(task.exception()) or "failed", is_error=True))
        else:
            found.append(ToolResult(wanted.id, task.result()))
    return found
