"""From a signature to JSON Schema: what a model is told about a tool's arguments.

A type that JSON cannot carry is refused when the tool is made, with the reason and with what to write instead.
"""

import dataclasses
import enum
import inspect
import types
import typing
from collections.abc import Callable
from typing import Any

from picolab.tools.parse import problems
from picolab.tools.values import hints_of, plain, unwrapped

SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
INSTEAD = {
    Any: "Any tells a model nothing; name the type",
    object: "object tells a model nothing, and would have no JSON Schema; name the type",
    bytes: "JSON has no bytes; take str, and say in its description how it is encoded",
    set: "JSON has no sets; take list[…] and make a set inside",
    frozenset: "JSON has no sets; take list[…] and make a set inside",
    list: "say of what: list[str]",
    dict: "say of what: dict[str, int]",
    tuple: "say of what: tuple[str, ...]",
}
NO_SCHEMA = (
    "it has no JSON Schema here; use str, int, float, bool, list[…], tuple[…, ...], dict[str, …], Literal, an Enum, "
    "a dataclass, or a union of these"
)


def schema_of(function: Callable[..., Any]) -> dict[str, Any]:
    """JSON Schema of a function's parameters, as one closed object.

    Raises:
        TypeError: a parameter that a JSON object cannot fill, has no annotation or one that cannot be expressed, or
            a default that its own annotation refuses; the message names the parameter and says what to write.
    """
    hints = hints_of(function)
    properties, required = {}, []
    for name, parameter in inspect.signature(function).parameters.items():
        where = f"parameter {name!r} of {function.__name__}"
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise TypeError(f"{where} cannot be filled from a JSON object; name each parameter")
        if name not in hints:
            raise TypeError(f"{where} has no annotation; a model needs to know what to send")
        properties[name] = _schema(hints[name], where)
        if parameter.default is parameter.empty:
            required.append(name)
        else:
            properties[name] |= _default(parameter.default, properties[name], where)
    return _closed(properties, required)


def _closed(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _default(value: Any, schema: dict[str, Any], where: str) -> dict[str, Any]:
    """What a schema says of a default; None is not spelled out, since leaving the argument away says as much."""
    try:
        sent = plain(value)
    except TypeError:
        raise TypeError(
            f"{where} has the default {value!r}, which is not JSON; use None, and make the value inside"
        ) from None
    if wrong := next(problems(sent, schema, "the default"), ""):
        advice = " Write `… | None` if it may be left out." if value is None else ""
        raise TypeError(f"{where} has a default that its annotation refuses: {wrong}.{advice}")
    return {} if value is None else {"default": sent}


def _schema(hint: Any, where: str, inside: tuple[type, ...] = ()) -> dict[str, Any]:
    """The schema of one type; `inside` holds the dataclasses that are being described around it."""
    hint = unwrapped(hint)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(hint, typing.Hashable) and hint in SIMPLE:
        return {"type": SIMPLE[hint]}
    if origin is typing.Annotated:
        return _schema(args[0], where, inside) | _described(args[1:], where)
    if origin is typing.Literal:
        return {"enum": _scalars(args, where)}
    if origin is list and args:
        return {"type": "array", "items": _schema(args[0], where, inside)}
    if origin is tuple and args[-1] is ...:
        return {"type": "array", "items": _schema(args[0], where, inside)}
    if origin is dict and args[0] is str:
        return {"type": "object", "additionalProperties": _schema(args[1], where, inside)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_schema(arg, where, inside) for arg in args]}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {"enum": _scalars([member.value for member in hint], where)}
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _record(hint, where, inside)
    raise TypeError(f"{where} is {hint!r}: {_why_not(hint, origin)}")


def _described(extras: tuple[Any, ...], where: str) -> dict[str, str]:
    for extra in extras:
        if not isinstance(extra, str):
            raise TypeError(
                f"{where} is annotated with {extra!r}, which would not be checked; only a description, as text, "
                "is passed on. Check it inside the function and raise ToolError"
            )
    return {"description": " ".join(extras)}


def _scalars(values: Any, where: str) -> list[Any]:
    for value in values:
        if type(value) not in SIMPLE or type(value) is float:
            raise TypeError(
                f"{where} allows the value {value!r}, which a model cannot send exactly; use text, whole numbers, "
                "true, false or null"
            )
    return list(values)


def _record(kind: type, where: str, inside: tuple[type, ...]) -> dict[str, Any]:
    """A dataclass as a closed object; fields that its `__init__` does not take are not the model's business."""
    if kind in inside:
        raise TypeError(f"{where} holds {kind.__name__} inside itself; a tool's arguments have a fixed depth")
    hints = hints_of(kind)
    properties, required = {}, []
    for field in dataclasses.fields(kind):
        if not field.init:
            continue
        place = f"field {field.name!r} of {kind.__name__} in {where}"
        properties[field.name] = _schema(hints[field.name], place, (*inside, kind))
        if field.default is not dataclasses.MISSING:
            properties[field.name] |= _default(field.default, properties[field.name], place)
        elif field.default_factory is dataclasses.MISSING:
            required.append(field.name)
    return _closed(properties, required)


def _why_not(hint: Any, origin: Any) -> str:
    if origin is dict:
        return "the keys of a JSON object are text; use dict[str, …]"
    if origin is tuple:
        return "a model mixes up places in a row; use a dataclass with named fields, or tuple[…, ...] for any number"
    if origin in INSTEAD:
        return INSTEAD[origin]
    if isinstance(hint, typing.Hashable) and hint in INSTEAD:
        return INSTEAD[hint]
    if typing.is_typeddict(hint):
        return "use a dataclass; its fields are checked and its defaults are kept"
    return NO_SCHEMA
