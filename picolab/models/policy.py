"""A policy: a model that is a program. It yields what it wants done, and receives what was observed.

    @policy
    def fixer(task):
        listing = yield call("list_files")
        if listing.is_error:
            return "I could not list the files."
        objection = yield f"There are {len(listing.content.splitlines())} files."

A policy is a function of the history and of nothing else: given a history that another process left, it runs again
from the start, is fed the results it finds there, and goes on. So it must not ask the clock or a random generator.
"""

import functools
import inspect
import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from picolab.context.tokens import tokens_of
from picolab.errors import ModelError
from picolab.messages import Message, Reply, Text, ToolCall, ToolResult, Usage
from picolab.models.base import Request


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tool call that has no id yet; the policy numbers its calls."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Move:
    """What a policy yielded: words, calls, and whether one result or a list of them goes back."""

    text: str
    calls: tuple[Wanted, ...]
    many: bool


def call(name: str, /, **arguments: Any) -> Wanted:
    """A tool call for a policy to yield."""
    return Wanted(name, json.dumps(arguments, ensure_ascii=False))


def say_and_call(text: str, *calls: Wanted) -> Move:
    """Calls with a thought beside them; one call gives one result, several give a list."""
    return Move(text, calls, many=len(calls) != 1)


def policy(function: Callable[..., Generator]) -> Callable[..., "Policy"]:
    """Make a generator function into a model; its first parameter, if it has any, receives the task."""

    @functools.wraps(function)
    def make(*args: Any, **kwargs: Any) -> Policy:
        return Policy(function.__name__, functools.partial(function, *args, **kwargs), "task" in parameters)

    parameters = inspect.signature(function).parameters
    return make


class Policy:
    """A model that runs a generator function, one `yield` a reply."""

    def __init__(self, name: str, start: Callable[..., Generator], wants_task: bool = False):
        self.name = f"policy:{name}"
        self._start, self._wants_task = start, wants_task
        self._steps: Generator | None = None
        self._pending: Move | None = None
        self._ids: tuple[str, ...] = ()
        self._count = 0
        self._sent: tuple[int, Message, int] | None = None

    def begin(self) -> "Policy":
        """The same policy, at its first line."""
        return Policy(self.name.removeprefix("policy:"), self._start, self._wants_task)

    async def reply(self, request: Request) -> Reply:
        messages = request.messages
        if self._steps is None or (messages[-1].role == "user" and not _spoken(messages)):
            self._replay(messages)
        else:
            self._advance(self._observation(messages))
        return self._as_reply(request)

    def _replay(self, messages: Sequence[Message]) -> None:
        """Run from the first line, through everything the history already answers."""
        task = next((m.text for m in messages if m.role == "user"), "")
        self._steps = self._start(task=task) if self._wants_task else self._start()
        self._count, self._sent = 0, None
        self._advance(None)
        for at, message in enumerate(messages):
            if message.role == "assistant" and self._is_mine(message) and at + 1 < len(messages):
                self._advance(self._observation(messages[: at + 2]))

    def _is_mine(self, message: Message) -> bool:
        calls = message.calls
        return tuple(c.id for c in calls) == self._ids if calls else message.text == self._pending.text

    def _observation(self, messages: Sequence[Message]) -> Any:
        """What the history holds in answer to the last move: results in the order asked, or an objection."""
        if not self._ids:
            return messages[-1].text
        found: dict[str, ToolResult] = {}
        for message in reversed(messages):
            found = {result.call_id: result for result in message.results} | found
            if all(id in found for id in self._ids):
                observed = [found[id] for id in self._ids]
                return observed if self._pending.many else observed[0]
        missing = [id for id in self._ids if id not in found]
        raise ModelError(f"the history holds no result for {', '.join(missing)}: was it dropped?")

    def _advance(self, observation: Any) -> None:
        try:
            yielded = self._steps.send(observation)
        except StopIteration as finished:
            yielded = finished.value
            self._steps = _ended(yielded)
            next(self._steps)
        self._pending = _as_move(yielded, self.name)
        first = self._count + 1
        self._count += len(self._pending.calls)
        self._ids = tuple(f"c{n}" for n in range(first, self._count + 1))

    def _as_reply(self, request: Request) -> Reply:
        move, parts = self._pending, []
        if move.text or not move.calls:
            parts.append(Text(move.text))
        for id, wanted in zip(self._ids, move.calls, strict=True):
            parts.append(ToolCall(id, wanted.name, wanted.arguments))
        usage = self._usage(request, Message("assistant", tuple(parts)))
        return Reply(tuple(parts), usage, "tool_use" if move.calls else "end_turn")

    def _usage(self, request: Request, answer: Message) -> Usage:
        """Estimated tokens; what begins with the last request, unchanged, counts as read from the cache."""
        messages, cached = request.messages, 0
        if self._sent is not None:
            length, last, tokens = self._sent
            if len(messages) >= length and messages[length - 1] is last:
                cached = tokens
        self._sent = (len(messages), messages[-1], request.tokens)
        return Usage(request.tokens, tokens_of(answer), cache_read_tokens=cached)


def _spoken(messages: Sequence[Message]) -> bool:
    return any(message.role == "assistant" for message in messages)


def _ended(answer: Any) -> Generator:
    """A policy that returned repeats its answer, whatever the objection."""
    while True:
        yield answer


def _as_move(yielded: Any, name: str) -> Move:
    match yielded:
        case Move():
            return yielded
        case Wanted():
            return Move("", (yielded,), many=False)
        case str():
            return Move(yielded, (), many=False)
        case None:
            return Move("", (), many=False)
        case [*wanted] if wanted and all(isinstance(w, Wanted) for w in wanted):
            return Move("", tuple(wanted), many=True)
    raise ModelError(f"{name} yielded {yielded!r}; a policy yields call(...), a list of calls, or text")
