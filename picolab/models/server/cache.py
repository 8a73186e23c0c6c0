"""How much of a request a server has seen before: the literal prefix that it shares with an earlier one."""

import json
from typing import Any

from picolab.context.tokens import estimate


class PrefixCache:
    """Counts tokens read from a cache, and tokens that are new in it. Nothing is ever dropped."""

    def __init__(self) -> None:
        self._seen: list[list[str]] = []

    def count(self, body: dict[str, Any]) -> tuple[int, int]:
        """Tokens of this request in all, and how many of them an earlier request began with."""
        blocks = [
            json.dumps(block, sort_keys=True)
            for name in ("tools", "system", "messages", "input")
            for block in _listed(body.get(name))
        ]
        shared = max((_shared(blocks, other) for other in self._seen), default=0)
        self._seen.append(blocks)
        sizes = [estimate(len(block)) for block in blocks]
        return sum(sizes), sum(sizes[:shared])


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _shared(one: list[str], other: list[str]) -> int:
    for at, (first, second) in enumerate(zip(one, other, strict=False)):
        if first != second:
            return at
    return min(len(one), len(other))
