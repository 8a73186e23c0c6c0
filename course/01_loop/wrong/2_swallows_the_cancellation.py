# expect: the run was cancelled
async def observe(wanted, tools):
    if wanted.name not in tools:
        return ToolResult(wanted.id, f"no tool {wanted.name}; there are {list(tools)}", True)
    try:
        return ToolResult(wanted.id, await tools[wanted.name](**json.loads(wanted.arguments)))
    except BaseException as error:
        return ToolResult(wanted.id, " ".join(repr(error).split()), True)
