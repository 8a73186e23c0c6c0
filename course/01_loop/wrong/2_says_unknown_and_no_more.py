# expect: it should name
async def observe(wanted, tools):
    try:
        tool = tools[wanted.name]
    except KeyError:
        return ToolResult(wanted.id, "unknown tool", True)
    try:
        return ToolResult(wanted.id, await tool(**json.loads(wanted.arguments)))
    except Exception as error:
        return ToolResult(wanted.id, " ".join(repr(error).split()), True)
