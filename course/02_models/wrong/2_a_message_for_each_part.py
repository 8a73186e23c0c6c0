# expect: one message for each of the five
def anthropic_messages(history):
    made = []
    for message in history:
        for part in message.parts:
            if isinstance(part, Text) and message.role != "system":
                made.append({"role": message.role, "content": [{"type": "text", "text": part.text}]})
            elif isinstance(part, ToolCall):
                block = {
                    "type": "tool_use",
                    "id": part.id,
                    "name": part.name,
                    "input": json.loads(part.arguments),
                }
                made.append({"role": "assistant", "content": [block]})
            elif isinstance(part, ToolResult):
                block = {"type": "tool_result", "tool_use_id": part.call_id, "content": part.content}
                made.append({"role": "user", "content": [block | {"is_error": part.is_error}]})
    return made
