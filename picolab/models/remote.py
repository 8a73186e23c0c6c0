"""What the adapters share: a key, a client, and a stream that is gathered into one reply.

The SDKs' own retries are off: the harness retries, where every attempt is seen and counted.
"""

import copy
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from picolab.context.tokens import estimate
from picolab.errors import ModelError, PicolabError
from picolab.messages import Reply, Text, Usage
from picolab.models.base import Request
from picolab.models.failures import model_error


class Gathered(Protocol):
    """A reply that arrives in pieces."""

    def add(self, event: Mapping[str, Any]) -> str:
        """Take one event of the stream in; returns the text that it brought, if any."""
        ...

    def reply(self, request: Request, name: str) -> Reply:
        """The whole reply, or ModelError if the stream was not complete."""
        ...


class Remote:
    """A model behind a provider's API, or behind a server that speaks it. `picolab.models.connect` makes one."""

    provider: ClassVar[str]
    key_name: ClassVar[str]
    gathered: ClassVar[type[Gathered]]

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        max_tokens: int = 4096,
        on_text: Callable[[str], None] | None = None,
    ):
        if max_tokens < 1:
            raise PicolabError(f"max_tokens is the most that a reply may write, 1 or more, not {max_tokens}")
        key = api_key or os.environ.get(self.key_name) or ("none" if base_url else None)
        if key is None:
            raise PicolabError(
                f"{self.key_name} is not set. Set it before you start JupyterLab, or pass base_url= for a server of your "
                "own. Every lesson works without a key: its model is then a program on this machine"
            )
        self.name, self.model, self.max_tokens = f"{self.provider}:{model}", model, max_tokens
        self._own, self._key, self._on_text = base_url is not None, key, on_text or (lambda text: None)
        self._options = {"api_key": key, "base_url": base_url, "max_retries": 0}
        self._client: Any = None

    def _connect(self, **options: Any) -> Any:
        """The SDK's client."""
        raise NotImplementedError

    async def _open(self, client: Any, request: Request) -> Any:
        """The stream of events that answers a request."""
        raise NotImplementedError

    def begin(self) -> "Remote":
        """The same model with connections of its own, for one run; `close` ends them."""
        begun = copy.copy(self)
        begun._client = self._connect(**self._options)
        return begun

    async def close(self) -> None:
        """End the connections of this run."""
        if self._client is not None:
            await self._client.close()

    async def reply(self, request: Request) -> Reply:
        """Ask, and gather the stream.

        Raises:
            ModelError: the provider refused, failed, or was cut off; `retry` says whether asking again may help.
        """
        if self._client is None:  # asked outside of a run: the connection lasts for this one question
            begun = self.begin()
            try:
                return await begun.reply(request)
            finally:
                await begun.close()
        gathered = self.gathered()
        try:
            async with await self._open(self._client, request) as stream:
                async for event in stream:
                    if text := gathered.add(event.model_dump(mode="json", exclude_none=True)):
                        self._on_text(text)
        except ModelError:
            raise
        except Exception as error:
            raise model_error(error, self.name, self._key) from error
        return gathered.reply(request, self.name)


def estimated_usage(request: Request, parts: Sequence[Any]) -> Usage:
    """The harness's own estimate, where a server reports nothing: a budget must never take that for zero."""
    written = sum(
        len(part.text) if isinstance(part, Text) else len(getattr(part, "arguments", "")) for part in parts
    )
    return Usage(request.tokens, max(1, estimate(written)))
