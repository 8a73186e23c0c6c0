# expect: The index says which block
def gather(events):
    parts, stop, complete, current = [], None, False, None
    found = {}
    order = []
    for event in events:
        if event["type"] == "content_block_start":
            order.append((event["index"], event["content_block"]))
            found[event["index"]] = ""
            current = event["index"]
        elif event["type"] == "content_block_delta":
            found[current] += event["delta"].get("text", event["delta"].get("partial_json", ""))
        elif event["type"] == "message_delta":
            stop = event["delta"]["stop_reason"]
        elif event["type"] == "message_stop":
            complete = True
    if not complete:
        raise ConnectionError
    for index, block in sorted(order, key=lambda pair: pair[0]):
        if block["type"] == "text":
            parts.append(Text(found[index]))
        else:
            parts.append(ToolCall(block["id"], block["name"], found[index] or "{}"))
    return parts, stop
