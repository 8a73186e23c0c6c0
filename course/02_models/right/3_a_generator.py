def chat_messages(history):
    def each(message):
        if message.role == "tool":
            for r in message.results:
                yield dict(
                    role="tool",
                    tool_call_id=r.call_id,
                    content=f"ERROR: {r.content}" if r.is_error else r.content,
                )
            return
        made = dict(role=message.role, content=message.text)
        calls = [
            dict(id=c.id, type="function", function=dict(name=c.name, arguments=c.arguments))
            for c in message.calls
        ]
        yield made | dict(tool_calls=calls) if calls else made

    return [made for message in history for made in each(message)]
