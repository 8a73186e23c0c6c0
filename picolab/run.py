"""One run of an agent: its history, its counters, its clock and its trace. Everything that must not be shared."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

from picolab.errors import ModelError, Stop
from picolab.events import Event, ModelAsked, ModelFailed, ModelReplied
from picolab.history import History
from picolab.messages import Reply, Text, Thought, ToolCall, Usage
from picolab.models.base import Model, Request
from picolab.tools.base import Tool


class Run:
    """State of one run. Middleware reads it, emits events through it, and keeps what it needs in `shared`."""

    def __init__(
        self,
        task: str,
        model: Model,
        tools: Mapping[str, Tool],
        history: History,
        emit: Callable[[Event], Any],
    ):
        self.task, self.tools, self.history, self.emit = task, tools, history, emit
        self.model = model.begin() if hasattr(model, "begin") else model
        self.step = 0
        """The step under way, counted from 1; events carry it."""
        self.steps = 0
        """Steps in which the model replied."""
        self.attempts = 0
        self.rejections = 0
        self.usage = Usage()
        self.shared: dict[str, Any] = {}
        self.repeated: set[str] = set()
        """Ids given in place of ids that had been used before; those calls are refused."""
        self._call_ids: set[str] = set()
        self._definitions = tuple(tools.values())
        self._definition_tokens = sum(tool.tokens for tool in self._definitions)
        self._began = perf_counter()

    def clock(self) -> float:
        """Seconds since the run began."""
        return perf_counter() - self._began

    def request(self) -> Request:
        """What the model is asked next."""
        return Request(self.history.view, self._definitions, self.history.tokens + self._definition_tokens)

    def distinct(self, reply: Reply) -> Reply:
        """The reply, with a new id for each call whose id was used before.

        A history in which one id names two calls cannot say which result is whose, and providers refuse it.
        """
        calls = reply.calls
        fresh = {call.id for call in calls}
        if len(fresh) == len(calls) and fresh.isdisjoint(self._call_ids):
            self._call_ids |= fresh
            return reply
        return replace(reply, parts=tuple(self._renamed(part) for part in reply.parts))

    def _renamed(self, part: Text | ToolCall | Thought) -> Text | ToolCall | Thought:
        if not isinstance(part, ToolCall):
            return part
        if part.id not in self._call_ids:
            self._call_ids.add(part.id)
            return part
        new = f"{part.id}~{len(self._call_ids)}"
        self._call_ids.add(new)
        self.repeated.add(new)
        return replace(part, id=new)


async def attempt(run: Run, request: Request) -> Reply:
    """One try at a model call: the innermost layer.

    Raises:
        ModelError: the model raised, or answered with something that is not a well-formed Reply.
    """
    run.attempts += 1
    asked = run.clock()
    run.emit(ModelAsked(run.step, asked, len(request.messages), request.tokens))
    try:
        reply = _checked(await run.model.reply(request), run.model.name)
    except Stop:
        raise
    except Exception as error:
        run.emit(ModelFailed(run.step, run.clock(), f"{type(error).__name__}: {error}", run.clock() - asked))
        raise (
            error if isinstance(error, ModelError) else ModelError(f"{type(error).__name__}: {error}")
        ) from error
    run.usage += reply.usage
    replied = run.clock()
    run.emit(ModelReplied(run.step, replied, reply, replied - asked))
    return reply


def _checked(reply: Any, name: str) -> Reply:
    """A reply whose parts are what their types say; a model is outside, and may be anything."""
    if type(reply) is not Reply or type(reply.parts) is not tuple or type(reply.usage) is not Usage:
        raise ModelError(f"{name} answered with {str(reply)[:80]!r}, which is not a well-formed Reply")
    for part in reply.parts:
        if type(part) is Text:
            words = (part.text,)
        elif type(part) is ToolCall:
            words = (part.id, part.name, part.arguments)
        elif type(part) is Thought:
            words = (part.provider, part.data)
        else:
            raise ModelError(
                f"{name} replied with a {type(part).__name__}; a reply is made of Text, ToolCall and Thought"
            )
        if not all(type(word) is str for word in words):
            raise ModelError(
                f"{name} replied with a part that holds other things than text: {str(part)[:80]}"
            )
    return reply
