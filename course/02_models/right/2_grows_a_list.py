def anthropic_messages(history):
    made = []
    for message in history:
        if message.role == "system":
            continue
        content = []
        for part in message.parts:
            match part:
                case Text(text):
                    content.append(dict(type="text", text=text))
                case ToolCall(id, name, arguments):
                    content.append(dict(type="tool_use", id=id, name=name, input=json.loads(arguments)))
                case ToolResult(call_id, content_, is_error):
                    content.append(
                        dict(type="tool_result", tool_use_id=call_id, content=content_, is_error=is_error)
                    )
        made.append({"role": {"tool": "user"}.get(message.role, message.role), "content": content})
    return made
