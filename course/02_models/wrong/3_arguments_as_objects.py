# expect: raised JSONDecodeError
def chat_messages(history):
    made = []
    for message in history:
        for result in message.results:
            content = "ERROR: " + result.content if result.is_error else result.content
            made.append({"role": "tool", "tool_call_id": result.call_id, "content": content})
        if message.results:
            continue
        each = {"role": message.role, "content": message.text}
        if message.calls:
            each["tool_calls"] = [
                {
                    "id": c.id,
                    "type": "function",
                    "function": {"name": c.name, "arguments": json.loads(c.arguments)},
                }
                for c in message.calls
            ]
        made.append(each)
    return made
