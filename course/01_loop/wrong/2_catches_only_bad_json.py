# expect: escape
async def observe(wanted, tools):
    if wanted.name not in tools:
        return ToolResult(wanted.id, f"no tool {wanted.name}; there are {list(tools)}", True)
    try:
        arguments = json.loads(wanted.arguments)
    except json.JSONDecodeError as error:
        return ToolResult(wanted.id, f"bad JSON: {error}", True)
    return ToolResult(wanted.id, await tools[wanted.name](**arguments))
