# expect: nobody knows what is missing
def gather(events):
    blocks, written, stop = {}, {}, None
    for event in events:
        if event["type"] == "content_block_start":
            blocks[event["index"]] = event["content_block"]
            written[event["index"]] = []
        elif event["type"] == "content_block_delta":
            delta = event["delta"]
            piece = delta.get("text", delta.get("partial_json", ""))
            written[event["index"]].append(piece)
        elif event["type"] == "message_delta":
            stop = event["delta"]["stop_reason"]
        elif event["type"] == "message_stop":
            break
    parts = []
    for index, block in sorted(blocks.items()):
        text = "".join(written[index])
        if block["type"] == "text":
            parts.append(Text(text))
        else:
            parts.append(ToolCall(block["id"], block["name"], text or "{}"))
    return parts, stop
