"""Schemas come from signatures, and arguments are parsed without mercy and refused with advice."""

import json
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from picolab.errors import ToolError
from picolab.tools.schema import parse, schema_of


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


def test_what_a_schema_cannot_say_is_refused_with_the_parameter_named():
    def unannotated(path): ...
    def many(*paths: str): ...
    def opaque(path: object): ...

    for function, says in ((unannotated, "no annotation"), (many, "JSON object"), (opaque, "no JSON Schema")):
        with pytest.raises(TypeError, match=says) as refused:
            schema_of(function)
        assert "path" in str(refused.value)
