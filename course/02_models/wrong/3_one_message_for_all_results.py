# expect: one tool message for each
def chat_messages(history):
    made = []
    for message in history:
        if message.results:
            text = "\n".join(result.content for result in message.results)
            made.append({"role": "tool", "tool_call_id": message.results[0].call_id, "content": text})
            continue
        made.append({"role": message.role, "content": message.text})
    return made
