async def observe(wanted: ToolCall, tools: dict) -> ToolResult:
    def failed(why):
        return ToolResult(call_id=wanted.id, content=str(why).replace("\n", " / "), is_error=True)

    tool = tools.get(wanted.name)
    if tool is None:
        return failed(f"there is no {wanted.name}; choose from {list(tools)}")
    try:
        content = await tool(**json.loads(wanted.arguments))
    except asyncio.CancelledError:
        raise
    except BaseException as error:
        return failed(f"{wanted.name} did not work ({type(error).__name__}: {error})")
    return ToolResult(call_id=wanted.id, content=content)
