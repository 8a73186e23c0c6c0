"""Who may do what: authorisation, asked after a call is known to be well-formed and before it runs.

Rules by tool name only, deny first. A rule language over arguments is the subject of module 05.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any

from picolab.errors import ToolError
from picolab.middleware.base import Middleware

if TYPE_CHECKING:
    from picolab.run import Run


class Permissions(Middleware):
    """Refuses calls of tools that are denied, or not among those allowed; the model is told, and nothing runs."""

    def __init__(self, allow: Iterable[str] | None = None, deny: Iterable[str] = ()):
        self.allow = None if allow is None else frozenset(allow)
        self.deny = frozenset(deny)

    async def tool_call(self, run: "Run", invocation: Any, next: Callable[..., Awaitable[Any]]) -> Any:
        name = invocation.tool.name
        if name in self.deny or (self.allow is not None and name not in self.allow):
            raise ToolError(
                f"{name} is not permitted in this run, so it was not run; do without it, or say why you cannot"
            )
        return await next(run, invocation)
