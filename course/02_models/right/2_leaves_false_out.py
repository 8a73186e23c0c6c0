def anthropic_messages(history):
    def result(part):
        block = {"type": "tool_result", "tool_use_id": part.call_id, "content": part.content}
        return {**block, "is_error": True} if part.is_error else block

    makers = {
        Text: lambda p: {"type": "text", "text": p.text},
        ToolCall: lambda p: {
            "type": "tool_use",
            "id": p.id,
            "name": p.name,
            "input": json.loads(p.arguments),
        },
        ToolResult: result,
    }
    roles = {"user": "user", "tool": "user", "assistant": "assistant"}
    return [
        {"role": roles[m.role], "content": [makers[type(p)](p) for p in m.parts]}
        for m in history
        if m.role in roles
    ]
