# expect: Anthropic takes an object
def anthropic_messages(history):
    def block(part):
        if isinstance(part, Text):
            return {"type": "text", "text": part.text}
        if isinstance(part, ToolCall):
            return {"type": "tool_use", "id": part.id, "name": part.name, "input": part.arguments}
        return {
            "type": "tool_result",
            "tool_use_id": part.call_id,
            "content": part.content,
            "is_error": part.is_error,
        }

    return [
        {
            "role": "assistant" if m.role == "assistant" else "user",
            "content": [block(part) for part in m.parts],
        }
        for m in history
        if m.role != "system"
    ]
