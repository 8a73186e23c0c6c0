"""Between JSON and Python: the values that a function expects, and the JSON of what it returns.

A model sends `{"unit": "km"}`; the function asked for `Unit.KM`. What the schema has checked is turned into the types of the
signature just before the function runs. Everything else (traces, permissions, middleware) sees plain JSON.
"""

import dataclasses
import enum
import math
import types
import typing
from collections.abc import Callable
from typing import Any

from picolab.errors import ToolError

Reader = Callable[[Any], Any]


def plain(value: Any) -> Any:
    """A value as JSON has it: dataclasses as objects, enum members as their values, tuples as arrays.

    Raises:
        TypeError: it holds something else, or a number that is not finite.
    """
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if value is None or isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: plain(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"{type(value).__name__} is not JSON")


def hints_of(owner: Any) -> dict[str, Any]:
    """The annotations of a function or a dataclass, with those that are written as text looked up.

    Raises:
        TypeError: one names something that the module of `owner` does not have.
    """
    try:
        return typing.get_type_hints(owner, include_extras=True)
    except NameError as error:
        raise TypeError(
            f"an annotation of {owner.__name__} cannot be looked up: {error}; define it at the top of the module"
        ) from None


def unwrapped(hint: Any) -> Any:
    """The type behind a NewType or a `type` statement."""
    while True:
        if isinstance(hint, typing.NewType):
            hint = hint.__supertype__
        elif type(hint).__name__ == "TypeAliasType":
            hint = hint.__value__
        else:
            return hint


def reader_of(function: Callable[..., Any], schema: dict[str, Any]) -> Reader | None:
    """What turns arguments that fit `schema` into those that `function` asks for; None where they are the same.

    The reader raises ToolError for values that a dataclass refuses in its `__post_init__`.
    """
    return _reader_of_fields(hints_of(function), schema)


def _reader_of_fields(hints: dict[str, Any], schema: dict[str, Any]) -> Reader | None:
    readers = {}
    for name, inner in schema["properties"].items():
        if read := _reader(hints[name], inner):
            readers[name] = read
    if not readers:
        return None
    return lambda sent: {name: readers[name](v) if name in readers else v for name, v in sent.items()}


def _reader(hint: Any, schema: dict[str, Any]) -> Reader | None:
    """The reader for one type, whose schema is `schema`."""
    hint = unwrapped(hint)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _reader(args[0], schema)
    if origin in (typing.Union, types.UnionType):
        return _reader_of_union(args, schema["anyOf"])
    if origin is tuple:
        read = _reader(args[0], schema["items"])
        return (lambda sent: tuple(map(read, sent))) if read else tuple
    if origin is list:
        read = _reader(args[0], schema["items"])
        return read and (lambda sent: [read(item) for item in sent])
    if origin is dict:
        read = _reader(args[1], schema["additionalProperties"])
        return read and (lambda sent: {key: read(item) for key, item in sent.items()})
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint
    return _reader_of_record(hint, schema) if dataclasses.is_dataclass(hint) else None


def _reader_of_union(options: tuple[Any, ...], schemas: list[dict[str, Any]]) -> Reader | None:
    """Read as the first option whose schema takes the value."""
    from picolab.tools.parse import problems

    readers = [_reader(option, schema) for option, schema in zip(options, schemas, strict=True)]
    if not any(readers):
        return None

    def read(sent: Any) -> Any:
        fits = (at for at, schema in enumerate(schemas) if not any(problems(sent, schema, "")))
        chosen = readers[next(fits)]
        return chosen(sent) if chosen else sent

    return read


def _reader_of_record(kind: type, schema: dict[str, Any]) -> Reader:
    fields = _reader_of_fields(hints_of(kind), schema) or dict

    def read(sent: dict[str, Any]) -> Any:
        try:
            return kind(**fields(sent))
        except ValueError as error:
            raise ToolError(f"this {kind.__name__} is refused: {error}") from error

    return read
