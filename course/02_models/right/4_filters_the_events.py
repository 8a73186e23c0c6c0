def gather(events):
    if not any(event["type"] == "message_stop" for event in events):
        raise ConnectionError
    of = lambda kind: [event for event in events if event["type"] == kind]
    parts = []
    for start in sorted(of("content_block_start"), key=lambda event: event["index"]):
        deltas = [event["delta"] for event in of("content_block_delta") if event["index"] == start["index"]]
        block = start["content_block"]
        if block["type"] == "text":
            parts.append(Text("".join(delta.get("text", "") for delta in deltas)))
        else:
            written = "".join(delta.get("partial_json", "") for delta in deltas)
            parts.append(ToolCall(id=block["id"], name=block["name"], arguments=written if written else "{}"))
    return (parts, of("message_delta")[-1]["delta"]["stop_reason"])
