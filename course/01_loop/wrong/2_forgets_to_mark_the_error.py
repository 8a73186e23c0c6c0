# expect: is_error must be True
async def observe(wanted, tools):
    try:
        return ToolResult(wanted.id, await tools[wanted.name](**json.loads(wanted.arguments)))
    except Exception as error:
        return ToolResult(wanted.id, " ".join(f"Error: {error!r}, tools: {list(tools)}".split()))
