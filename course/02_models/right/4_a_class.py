class Gatherer:
    def __init__(self):
        self.blocks, self.stop, self.done = {}, None, False

    def content_block_start(self, index, content_block, **_):
        self.blocks[index] = [content_block, ""]

    def content_block_delta(self, index, delta, **_):
        self.blocks[index][1] += delta.get("text") or delta.get("partial_json") or ""

    def message_delta(self, delta, **_):
        self.stop = delta["stop_reason"]

    def message_stop(self, **_):
        self.done = True


def gather(events):
    gatherer = Gatherer()
    for event in events:
        getattr(gatherer, event["type"], lambda **_: None)(**{k: v for k, v in event.items() if k != "type"})
    if not gatherer.done:
        raise ConnectionResetError("cut")
    parts = []
    for _, (block, text) in sorted(gatherer.blocks.items()):
        parts.append(
            Text(text) if block["type"] == "text" else ToolCall(block["id"], block["name"], text or "{}")
        )
    return parts, gatherer.stop
