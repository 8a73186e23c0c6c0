"""picolab: a small agent harness, to be read in this order.

messages, events, errors   what passes between the parts
models                     anything that answers a request with a reply; policies are programs that do
loop                       ask, act, observe, until the answer is accepted: one screen
agent, run                 the loop with everything wrapped around it
tools                      a function a model may ask for: schema, validation, execution
middleware, budgets,       what wraps a model call or a tool call
permissions
review, verify             what must hold before "I am done" is believed
history, context           the log, the view, and their tokens
trace                      the run as it happened
repair                     an agent that mends a broken Python repository
calc, explore              the field's arithmetic, and widgets that move it
classroom                  how the course is built, graded and kept

Names are loaded when they are first used, so that `import picolab` costs next to nothing.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "Agent": "agent",
    "Outcome": "agent",
    "Budget": "budgets",
    "Price": "budgets",
    "Permissions": "permissions",
    "Middleware": "middleware",
    "Tool": "tools",
    "tool": "tools",
    "Message": "messages",
    "Reply": "messages",
    "Text": "messages",
    "ToolCall": "messages",
    "ToolResult": "messages",
    "Usage": "messages",
    "Request": "models",
    "Model": "models",
    "policy": "models",
    "call": "models",
    "say_and_call": "models",
    "flaky": "models",
    "script": "models",
    "connect": "models",
    "Trace": "trace",
    "History": "history",
}
_MODULES = ("calc", "classroom", "errors", "events", "explore", "repair", "verify", "workspace")

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f"picolab.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return importlib.import_module(f"picolab.{name}")
    raise AttributeError(f"picolab has no {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME, *_MODULES])
