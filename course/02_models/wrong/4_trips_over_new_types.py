# expect: Types that are not in the table are passed over
def gather(events):
    blocks, stop, complete = {}, None, False
    for event in events:
        match event["type"]:
            case "content_block_start":
                blocks[event["index"]] = (event["content_block"], [])
            case "content_block_delta":
                blocks[event["index"]][1].append(
                    event["delta"].get("text", event["delta"].get("partial_json")) or ""
                )
            case "message_delta":
                stop = event["delta"]["stop_reason"]
            case "message_stop":
                complete = True
            case "message_start" | "content_block_stop" | "ping":
                pass
            case other:
                raise ValueError(other)
    if not complete:
        raise ConnectionError
    made = [
        Text("".join(p)) if b["type"] == "text" else ToolCall(b["id"], b["name"], "".join(p) or "{}")
        for _, (b, p) in sorted(blocks.items())
    ]
    return made, stop
