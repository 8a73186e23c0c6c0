"""A tool: a Python function that a model may ask for, with the schema its signature implies."""

import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, overload

from picolab.context.tokens import estimate
from picolab.tools.schema import schema_of
from picolab.tools.values import Reader, reader_of


@dataclass(frozen=True, slots=True)
class Tool:
    """What the model is told about a function, and how the harness runs it."""

    name: str
    description: str
    schema: dict[str, Any]
    """JSON Schema of the arguments object."""
    function: Callable[..., Any]
    """Async functions run on the event loop; plain ones in a thread, unless `inline`."""
    timeout: float | None = 60.0
    """Seconds before the call is given up; None waits for ever."""
    max_payload: int = 4096
    """Characters of argument JSON accepted."""
    max_output: int = 30_000
    """Characters of result that reach the model; the middle of anything longer is cut."""
    parallel: bool = False
    """Safe to run at the same time as other calls of the same turn."""
    inline: bool = False
    """A plain function so short that a thread would cost more; it can then not be timed out."""
    tokens: int = field(init=False, compare=False, default=0)
    """Estimated tokens of the definition, paid in every request."""

    is_async: bool = field(init=False, compare=False, default=False)
    reader: Reader | None = field(init=False, compare=False, repr=False, default=None)
    """Makes the values of the signature from checked JSON; None where they are the same."""

    def __post_init__(self) -> None:
        spent = estimate(len(self.name) + len(self.description) + len(json.dumps(self.schema)))
        object.__setattr__(self, "tokens", spent)
        object.__setattr__(self, "is_async", inspect.iscoroutinefunction(self.function))
        object.__setattr__(self, "reader", reader_of(self.function, self.schema))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function itself, unchecked, as Python does."""
        return self.function(*args, **kwargs)


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...
@overload
def tool(**options: Any) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Make a function into a Tool: `@tool`, or `@tool(timeout=5, parallel=True)`.

    The name and the description default to the function's name and docstring.

    Raises:
        TypeError: a parameter has no annotation, or one that JSON Schema cannot express; the message names it.
    """
    if function is None:
        return lambda decorated: tool(decorated, **options)
    name = options.pop("name", function.__name__)
    description = options.pop("description", inspect.getdoc(function) or "")
    return Tool(name, description, schema_of(function), function, **options)
