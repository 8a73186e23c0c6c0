async def observe(wanted, tools):
    problem = None
    try:
        arguments = json.loads(wanted.arguments)
        if not isinstance(arguments, dict):
            problem = "the arguments must be one JSON object"
    except ValueError as error:
        problem = f"not JSON: {error.args[0].splitlines()[0]}"
    if wanted.name not in tools:
        problem = "unknown tool, use one of " + " ".join(sorted(tools))
    if problem:
        return ToolResult(wanted.id, problem, True)
    try:
        return ToolResult(wanted.id, await tools[wanted.name](**arguments))
    except Exception as error:
        return ToolResult(wanted.id, repr(error), True)
