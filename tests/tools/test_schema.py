"""Schemas come from signatures, and arguments are parsed without mercy and refused with advice."""

import enum
import json
import typing
from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from picolab.errors import ToolError
from picolab.tools.parse import parse
from picolab.tools.schema import schema_of


def find(
    name: str,
    limit: Annotated[int, "how many lines"] = 10,
    exact: bool = False,
    ratio: float | None = None,
    kind: Literal["file", "folder"] = "file",
    tags: list[str] = [],  # noqa: B006
    sizes: dict[str, int] | None = None,
) -> str:
    """Find things."""
    return name


SCHEMA = schema_of(find)


def test_a_schema_says_names_types_defaults_and_that_nothing_else_is_taken():
    assert SCHEMA["required"] == ["name"]
    assert SCHEMA["additionalProperties"] is False
    assert SCHEMA["properties"]["limit"] == {
        "type": "integer",
        "description": "how many lines",
        "default": 10,
    }
    assert SCHEMA["properties"]["kind"] == {"enum": ["file", "folder"], "default": "file"}
    assert SCHEMA["properties"]["ratio"] == {"anyOf": [{"type": "number"}, {"type": "null"}]}
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"name": "a', "not valid JSON: Unterminated string starting at character 9;"),
        ("", "not valid JSON"),
        ('{"name": "a"', "not valid JSON"),
        ("{'name': 'a'}", "not valid JSON"),
        ('{"name": "a"} and more', "not valid JSON"),
        ("[]", "one JSON object"),
        ('"name"', "one JSON object"),
        ("null", "one JSON object"),
        ("7", "one JSON object"),
        ("{}", "lack 'name'"),
        ('{"name": "a", "name": "b"}', "'name' stands twice"),
        ('{"name": "a", "colour": "red"}', "no argument 'colour'"),
        ('{"name": 7}', "'name' must be a string, not an integer"),
        ('{"name": null}', "'name' must be a string, not null"),
        ('{"name": "a", "limit": true}', "'limit' must be an integer, not a boolean"),
        ('{"name": "a", "limit": 1.0}', "'limit' must be an integer, not a number"),
        ('{"name": "a", "limit": "10"}', "'limit' must be an integer, not a string"),
        ('{"name": "a", "exact": 1}', "'exact' must be a boolean"),
        ('{"name": "a", "ratio": NaN}', "NaN is not JSON"),
        ('{"name": "a", "ratio": -Infinity}', "-Infinity is not JSON"),
        ('{"name": "a", "ratio": 1e309}', "too large"),
        ('{"name": "a", "limit": ' + "9" * 500 + "}", "too large"),
        ('{"name": "a", "kind": "link"}', r'one of \["file", "folder"\]'),
        ('{"name": "a", "tags": ["x", 3]}', r"'tags'\[1\] must be a string"),
        ('{"name": "a", "sizes": {"x": "big"}}', "'sizes'.x must be an integer"),
        ('{"name": "' + "a" * 5000 + '"}', "limit is 4,096"),
        ('{"name": ' + "[" * 2000 + "]" * 2000 + "}", "nested too deeply|must be a string"),
    ],
)
def test_a_wrong_payload_is_refused_with_words_that_help(text, says):
    with pytest.raises(ToolError, match=says) as refused:
        parse(text, SCHEMA)
    assert "\n" not in str(refused.value)
    assert "Traceback" not in str(refused.value)


def test_every_mistake_in_a_call_is_named_at_once_and_a_flood_is_cut():
    with pytest.raises(ToolError) as refused:
        parse('{"limit": "10", "exact": 1, "colour": "red"}', SCHEMA)
    for words in (
        "lack 'name'",
        "'limit' must be an integer",
        "'exact' must be a boolean",
        "no argument 'colour'",
    ):
        assert words in str(refused.value)
    with pytest.raises(ToolError) as refused:
        parse(json.dumps({"name": "a", "tags": list(range(400))}), SCHEMA)
    assert str(refused.value).count("must be a string") == 5


def test_a_payload_deeper_than_the_interpreter_goes_is_refused():
    with pytest.raises(ToolError, match=r"too deeply|must be"):
        parse("[" * 100_000, SCHEMA, max_payload=200_000)


def test_a_right_payload_comes_through_unchanged():
    sent = {
        "name": "ä\u0000\U0001f600",
        "limit": -3,
        "ratio": 2,
        "tags": ["x"],
        "sizes": {"k": 1},
        "kind": "folder",
    }
    assert parse(json.dumps(sent), SCHEMA) == sent


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
payloads = st.dictionaries(st.sampled_from([*SCHEMA["properties"], "other"]), json_values, max_size=5)


@given(payloads)
def test_it_accepts_what_a_json_schema_validator_accepts_and_is_stricter_only_about_whole_floats(payload):
    valid = Draft202012Validator(SCHEMA).is_valid(payload)
    try:
        assert parse(json.dumps(payload), SCHEMA) == payload
    except ToolError:
        whole_floats = any(
            isinstance(v, float) and v.is_integer()
            for value in payload.values()
            for v in [value, *(value.values() if isinstance(value, dict) else [])]
        )
        assert not valid or whole_floats
    else:
        assert valid


@given(st.text(max_size=60))
def test_any_text_is_parsed_or_refused_and_nothing_else(text):
    try:
        parse(text, SCHEMA)
    except ToolError:
        pass


def test_what_a_call_cannot_fill_is_refused_with_the_parameter_named():
    def unannotated(path): ...
    def many(*paths: str): ...
    def by_place(path: str, /): ...

    for function, says in ((unannotated, "no annotation"), (many, "JSON object"), (by_place, "JSON object")):
        with pytest.raises(TypeError, match=says) as refused:
            schema_of(function)
        assert "path" in str(refused.value)


class Unit(enum.Enum):
    KM = "km"
    MILES = "miles"


@dataclass
class Leg:
    start: str
    unit: Unit = Unit.KM
    notes: tuple[str, ...] = ()
    hidden: int = field(default=7, init=False)


@dataclass
class Loop:
    inner: "Loop | None" = None


@dataclass
class Lost:
    where: "Nowhere"  # noqa: F821


class Form(typing.TypedDict):
    name: str


Name = typing.NewType("Name", str)


def taking(kind, *default):
    def send(what): ...

    send.__annotations__, send.__defaults__ = {"what": kind}, default or None
    return send


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (taking(bytes), "no bytes; take str"),
        (taking(set[int]), "no sets; take list"),
        (taking(frozenset), "no sets"),
        (taking(object), "tells a model nothing"),
        (taking(typing.Any), "tells a model nothing"),
        (taking(list), r"list\[str\]"),
        (taking(dict), r"dict\[str, int\]"),
        (taking(tuple), r"tuple\[str, ...\]"),
        (taking(tuple[int, str]), "a dataclass with named fields"),
        (taking(dict[int, str]), "keys of a JSON object are text"),
        (taking(complex), "no JSON Schema here"),
        (taking(list[list[bytes]]), "no bytes"),
        (taking(int | bytes), "no bytes"),
        (taking(Form), "use a dataclass"),
        (taking(Loop), "holds Loop inside itself"),
        (taking(Lost), "cannot be looked up"),
        (taking("Nowhere"), "cannot be looked up"),
        (taking(Literal[1.5]), "cannot send exactly"),
        (taking(Literal[Unit.KM]), "cannot send exactly"),
        (taking(Annotated[int, 5]), "would not be checked"),
        (taking(str, None), "may be left out"),
        (taking(int, "ten"), "a default that its annotation refuses"),
        (taking(int, True), "a default that its annotation refuses"),
        (taking(float, float("nan")), "not JSON"),
        (taking(list[str], [b""]), "not JSON"),
        (taking(Literal["a", "b"], "c"), "one of"),
    ],
)
def test_what_json_cannot_carry_is_refused_when_the_tool_is_made(function, says):
    with pytest.raises(TypeError, match=says) as refused:
        schema_of(function)
    assert "'what'" in str(refused.value) or "send" in str(refused.value) or "Lost" in str(refused.value)


def test_dataclasses_enums_and_arrays_of_any_length_have_schemas():
    schema = schema_of(taking(list[Leg]))["properties"]["what"]["items"]
    assert schema == {
        "type": "object",
        "properties": {
            "start": {"type": "string"},
            "unit": {"enum": ["km", "miles"], "default": "km"},
            "notes": {"type": "array", "items": {"type": "string"}, "default": []},
        },
        "required": ["start"],
        "additionalProperties": False,
    }
    assert schema_of(taking(Name))["properties"]["what"] == {"type": "string"}
    assert (
        schema_of(taking(Annotated[Leg | None, "the first leg"], None))["properties"]["what"]["description"]
        == "the first leg"
    )


kinds = st.recursive(
    st.sampled_from([str, int, float, bool, type(None), Unit, Leg, Literal["x", 1, None]]),
    lambda inner: st.one_of(
        inner.map(lambda kind: list[kind]),
        inner.map(lambda kind: dict[str, kind]),
        inner.map(lambda kind: tuple[kind, ...]),
        st.tuples(inner, inner).map(lambda two: typing.Union[two]),  # noqa: UP007
    ),
    max_leaves=4,
)


@given(kinds, json_values)
def test_any_type_gives_a_schema_that_validators_take_and_that_parse_agrees_with(kind, value):
    schema = schema_of(taking(kind))
    Draft202012Validator.check_schema(schema)
    valid = Draft202012Validator(schema).is_valid({"what": value})
    try:
        parse(json.dumps({"what": value}), schema)
    except ToolError:
        assert not valid or ".0" in json.dumps(value)  # a whole float is an integer to the validator only
    else:
        assert valid
