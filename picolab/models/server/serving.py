"""The server itself: it reads a request, asks the model behind it, and streams the reply."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from picolab.context.tokens import estimate
from picolab.errors import PicolabError
from picolab.messages import Message, Reply, Text, ToolCall, Usage
from picolab.models.base import Model, Request
from picolab.models.catalogue import connect
from picolab.models.server.cache import PrefixCache
from picolab.models.server.faults import Fault, fault, refusal
from picolab.models.server.formats import FORMATS, Answer

CUT_AFTER = 0.6
"""The share of a stream's events that still arrive when it is cut."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it arrived. The key is not kept."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]


class Server:
    """Speaks Anthropic Messages, OpenAI Chat Completions and OpenAI Responses in front of one model.

    Args:
        model: answers. A policy is begun anew for each request and finds its place in the history, as a provider's model does.
        faults: what goes wrong, one entry a request, None for nothing; see `picolab.models.server.faults.FAULTS`.
    """

    def __init__(self, model: Model, faults: Sequence[str | None] = ()):
        self.model, self.requests = model, list[Seen]()
        self._faults = [fault(each) for each in faults]
        self._cache = PrefixCache()
        self._ids = iter(range(1, 10**9))
        self.url = ""
        """The address, without a path. The Anthropic SDK takes it as it is, the OpenAI one with `/v1` behind it."""

    def connect(self, provider: str = "anthropic", **options: Any) -> Model:
        """An adapter that talks to this server: anthropic, openai or openai-chat."""
        base = self.url if provider == "anthropic" else f"{self.url}/v1"
        return connect(f"{provider}:local", base_url=base, **({"api_key": "none"} | options))

    async def _answer(self, form: Any, incoming: Any) -> Any:
        from starlette.responses import JSONResponse, StreamingResponse

        wanted = self._faults.pop(0) if self._faults else Fault()
        try:
            body = await incoming.json()
            messages = form.read(body)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            words = f"this is not a request: {type(error).__name__}: {error}"
            return JSONResponse({"error": {"type": "invalid_request_error", "message": words}}, 400)
        private = ("authorization", "x-api-key")
        headers = {name: value for name, value in incoming.headers.items() if name not in private}
        self.requests.append(Seen(form.path, body, headers))
        if no := refusal(wanted, form.anthropic):
            return JSONResponse(no[1], no[0], no[2])
        if wanted.kind == "slow":
            await asyncio.sleep(wanted.seconds or 0.0)
        try:
            answer = await self._reply(body, messages, wanted)
        except Exception as error:  # whatever the model behind the server raises is for the caller to read
            words = f"the model behind this server raised {type(error).__name__}: {error}"
            return JSONResponse({"error": {"type": "invalid_request_error", "message": words}}, 400)
        if not body.get("stream"):
            return JSONResponse(form.whole(answer))
        return StreamingResponse(_stream(form, answer, wanted), media_type="text/event-stream")

    async def _reply(self, body: dict[str, Any], messages: list[Message], wanted: Fault) -> Answer:
        fresh = hasattr(self.model, "begin") and self.model.name.startswith("policy:")
        model = (
            self.model.begin() if fresh else self.model
        )  # a script counts its steps; a policy reads the history
        reply = _spoilt(await model.reply(Request(messages)), wanted)
        tokens, cached = self._cache.count(body)
        written = sum(estimate(len(p.text if isinstance(p, Text) else p.arguments)) for p in reply.parts)
        usage = Usage(tokens, max(1, written), cached, tokens - cached)
        id = f"{next(self._ids):04}"
        return Answer(id, body.get("model", "local"), reply, None if wanted.kind == "no-usage" else usage)


def _spoilt(reply: Reply, wanted: Fault) -> Reply:
    """The reply, with the fault that lies in what is said rather than in how it is sent."""
    said = tuple(part for part in reply.parts if isinstance(part, Text | ToolCall))
    if wanted.kind == "wrong-json":
        said = tuple(
            replace(p, arguments=p.arguments[:-1] + ",") if isinstance(p, ToolCall) else p for p in said
        )
    if wanted.kind == "truncated" and said:
        *before, last = said
        half = (
            replace(last, arguments=last.arguments[: len(last.arguments) // 2])
            if isinstance(last, ToolCall)
            else last
        )
        return replace(reply, parts=(*before, half), stop_reason="max_tokens")
    return replace(reply, parts=said)


async def _stream(form: Any, answer: Answer, wanted: Fault) -> AsyncIterator[str]:
    events = list(form.events(answer))
    if wanted.kind in ("cut", "error-event"):
        events = events[: max(1, int(len(events) * CUT_AFTER))]
    for event in events:
        yield form.frame(event)
        await asyncio.sleep(0)
    if wanted.kind == "error-event":
        yield form.frame(form.failed())
    elif wanted.kind != "cut":
        yield form.end


@contextlib.contextmanager
def serving(model: Model, faults: Sequence[str | None] = ()) -> Iterator[Server]:
    """A server on a free port of this machine, for as long as the `with` lasts.

    Raises:
        PicolabError: an unknown fault, or a server that does not come up.
    """
    import uvicorn
    from starlette.applications import Starlette
    from starlette.routing import Route

    server = Server(model, faults)

    def route(form: Any) -> Route:
        async def answer(request: Any) -> Any:
            return await server._answer(form, request)

        return Route(form.path, answer, methods=["POST"])

    listener = socket.create_server(("127.0.0.1", 0))
    server.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    quiet = {"log_config": None, "access_log": False, "lifespan": "off", "ws": "none"}
    engine = uvicorn.Server(uvicorn.Config(Starlette(routes=[route(form) for form in FORMATS]), **quiet))
    thread = threading.Thread(target=engine.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        for _ in range(1000):
            if engine.started:
                break
            thread.join(0.01)
        else:
            raise PicolabError("the local model server did not come up within 10 seconds")
        yield server
    finally:
        engine.should_exit = engine.force_exit = True
        thread.join(10)
        listener.close()
