def chat_messages(history):
    made = []
    for message in history:
        words, calls = [], []
        for part in message.parts:
            if isinstance(part, ToolResult):
                made.append(
                    {
                        "role": "tool",
                        "tool_call_id": part.call_id,
                        "content": "ERROR: " * part.is_error + part.content,
                    }
                )
            elif isinstance(part, ToolCall):
                function = {"name": part.name, "arguments": part.arguments}
                calls.append({"id": part.id, "type": "function", "function": function})
            else:
                words.append(part.text)
        if message.role != "tool":
            made.append({"role": message.role, "content": "\n".join(words)})
            if calls:
                made[-1]["tool_calls"] = calls
    return made
