# expect: no traceback
async def observe(wanted, tools):
    import traceback

    if wanted.name not in tools:
        return ToolResult(wanted.id, f"no tool {wanted.name}; there are {list(tools)}", True)
    try:
        return ToolResult(wanted.id, await tools[wanted.name](**json.loads(wanted.arguments)))
    except Exception:
        return ToolResult(wanted.id, traceback.format_exc(), True)
