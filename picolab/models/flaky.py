"""A model that fails on purpose, with a probability and a seed, in the ways real ones do."""

import random
from dataclasses import replace

from picolab.errors import ModelError
from picolab.messages import Reply, Text, ToolCall
from picolab.models.base import Model, Request

FAULTS = ("malformed", "unknown_tool", "missing_arguments", "silent")
"""Faults that a harness can feed back. A fifth, `error`, raises ModelError in place of a reply."""


class Flaky:
    """The model that `flaky` makes: each due reply may come late, behind a faulty one."""

    def __init__(self, model: Model, p: float, seed: int, faults: tuple[str, ...]):
        self.name = f"flaky({model.name}, p={p}, seed={seed})"
        self._model, self._p, self._seed, self._faults = model, p, seed, faults
        self._random = random.Random(seed)
        self._held: Reply | None = None
        self._faulted = 0

    def begin(self) -> "Flaky":
        begin = getattr(self._model, "begin", lambda: self._model)
        return Flaky(begin(), self._p, self._seed, self._faults)

    async def reply(self, request: Request) -> Reply:
        due = self._held or await self._model.reply(request)
        self._held = None
        if self._random.random() >= self._p:
            return due
        fault = self._random.choice(self._faults)
        if fault == "error":
            self._held = due
            raise ModelError("flaky: the provider failed (on purpose)")
        self._held = due
        return self._spoil(due, fault)

    def _spoil(self, due: Reply, fault: str) -> Reply:
        self._faulted += 1
        if fault == "silent" or not due.calls:
            return replace(due, parts=(Text(""),), stop_reason="end_turn")
        good = due.calls[0]
        spoiled = {
            "malformed": ToolCall(f"f{self._faulted}", good.name, good.arguments[:-1]),
            "unknown_tool": ToolCall(f"f{self._faulted}", good.name + "_v2", good.arguments),
            "missing_arguments": ToolCall(f"f{self._faulted}", good.name, '{"unexpected": 1}'),
        }[fault]
        return replace(due, parts=(spoiled,))


def flaky(model: Model, p: float, seed: int, faults: tuple[str, ...] = FAULTS) -> Flaky:
    """`model`, but each reply is replaced by a faulty one with probability `p`, and comes on the next asking.

    Raises:
        ValueError: p is not in [0, 1], or a fault is unknown.
    """
    if not 0 <= p <= 1:
        raise ValueError(f"p is a probability from 0 to 1, not {p}")
    unknown = set(faults) - {*FAULTS, "error"}
    if unknown or not faults:
        raise ValueError(f"faults are taken from {(*FAULTS, 'error')}, not {faults}")
    return Flaky(model, p, seed, faults)
