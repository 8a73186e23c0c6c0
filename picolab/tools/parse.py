"""From JSON text to arguments that fit a schema, or to a refusal that a model can act on.

Two of the three layers that guard a call stand here: syntax and schema. The third, policy, is in `picolab.permissions`.
"""

import json
import math
from collections.abc import Iterator
from itertools import islice
from typing import Any, NoReturn

from picolab.errors import ToolError

MOST_PROBLEMS = 5
"""How many mistakes one refusal names: all at once saves a turn each, and a long list would not be read."""


def parse(text: str, schema: dict[str, Any], max_payload: int = 4096) -> dict[str, Any]:
    """The arguments in `text`, checked against `schema`.

    Raises:
        ToolError: too long, not JSON, not one object, a doubled key, a number JSON does not have, or an argument
            that is missing, unknown or of another type; all of these are named at once, up to five.
    """
    if not isinstance(text, str):
        raise ToolError(f"the arguments must be JSON text, not {type(text).__name__}")
    if len(text) > max_payload:
        raise ToolError(
            f"the arguments are {len(text):,} characters long; the limit is {max_payload:,}: send less"
        )
    arguments = read_json(text)
    if not isinstance(arguments, dict):
        raise ToolError(f"the arguments must be one JSON object, like {{}}, not {_named(arguments)}")
    if wrong := list(islice(problems(arguments, schema, "arguments"), MOST_PROBLEMS)):
        raise ToolError("; ".join(wrong))
    return arguments


def read_json(text: str | bytes) -> Any:
    """The value in `text`, read more strictly than RFC 8259 asks for: whatever two readers could take differently is refused.

    Raises:
        ToolError: not JSON or not UTF-8, a doubled key, a number that is not finite, or half of a surrogate pair.
    """
    try:
        text = text if isinstance(text, str) else text.decode("utf-8")
        value = DECODER.decode(text)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value
    except UnicodeDecodeError:
        raise ToolError("the arguments are not UTF-8 text; send the whole call again") from None
    except UnicodeEncodeError:
        raise ToolError(
            "a string holds half of a surrogate pair, which no file can store; send the character itself"
        ) from None
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")
        raise ToolError(
            f"the arguments are not valid JSON: {what} at character {error.pos}; send the whole call again"
        ) from None
    except RecursionError:
        raise ToolError("the arguments are nested too deeply; send a flatter object") from None


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ToolError(f"the key {key!r} stands twice in one object; send it once")
        found[key] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise ToolError(f"{name} is not JSON; send a finite number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ToolError(f"{text[:20]} is too large for a number; send a finite one")
    return value


def _integer(text: str) -> int:
    if len(text) > 400:
        raise ToolError(f"an integer of {len(text)} digits is too large; send a smaller one")
    return int(text)


DECODER = json.JSONDecoder(
    object_pairs_hook=_no_doubles, parse_constant=_no_constant, parse_float=_finite, parse_int=_integer
)


def problems(value: Any, schema: dict[str, Any], where: str) -> Iterator[str]:
    """What is wrong with a value, under the subset of JSON Schema that `schema_of` writes."""
    if "anyOf" in schema:
        found = [next(problems(value, option, where), "") for option in schema["anyOf"]]
        if all(found):
            yield "; or ".join(found)
        return
    if "enum" in schema:
        if not any(type(value) is type(option) and value == option for option in schema["enum"]):
            yield f"{where} must be one of {json.dumps(schema['enum'])}, not {_shown(value)}"
        return
    kind = schema["type"]
    if not _is(value, kind):
        yield f"{where} must be {_article(kind)}, not {_named(value)} ({_shown(value)})"
    elif kind == "array":
        for index, item in enumerate(value):
            yield from problems(item, schema["items"], f"{where}[{index}]")
    elif kind == "object":
        yield from _object_problems(value, schema, where)


def _object_problems(value: dict[str, Any], schema: dict[str, Any], where: str) -> Iterator[str]:
    properties, rest = schema.get("properties", {}), schema.get("additionalProperties")
    missing = [name for name in schema.get("required", ()) if name not in value]
    if missing:
        yield f"{where} {'lack' if where == 'arguments' else 'lacks'} {', '.join(map(repr, missing))}; expected {_expected(properties)}"
    for name, item in value.items():
        if name in properties:
            inner = f"argument {name!r}" if where == "arguments" else f"{where}.{name}"
            yield from problems(item, properties[name], inner)
        elif rest is False:
            yield f"there is no argument {name!r}; expected {_expected(properties)}"
        elif rest:
            yield from problems(item, rest, f"{where}.{name}")


def _is(value: Any, kind: str) -> bool:
    match kind:
        case "integer":
            return type(value) is int
        case "number":
            return type(value) in (int, float)
        case "string":
            return type(value) is str
        case "boolean":
            return type(value) is bool
        case "null":
            return value is None
        case "array":
            return type(value) is list
        case _:
            return type(value) is dict


NAMES = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    float: "a number",
}


def _named(value: Any) -> str:
    return NAMES.get(type(value), "null")


def _article(kind: str) -> str:
    return {"integer": "an integer", "array": "an array", "object": "an object", "null": "null"}.get(
        kind, f"a {kind}"
    )


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _expected(properties: dict[str, Any]) -> str:
    return ", ".join(f"{name} ({_kind(schema)})" for name, schema in properties.items()) or "no arguments"


def _kind(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(_kind(option) for option in schema["anyOf"])
    return schema.get("type") or "one of " + json.dumps(schema["enum"])
