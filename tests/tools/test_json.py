"""JSON is read as RFC 8259 has it, and stricter where two readers could disagree."""

import os
from pathlib import Path

import pytest

from picolab.errors import ToolError
from picolab.tools.parse import read_json

SUITE = os.environ.get("JSON_TEST_SUITE")
"""The folder test_parsing of a checkout of nst/JSONTestSuite (MIT); its files are not part of this repository."""
DOUBLED = {"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"}
"""Valid JSON that we refuse all the same: which of the two values counts is up to the reader."""


def accepts(data):
    try:
        read_json(data)
    except ToolError as error:
        assert "\n" not in str(error)
        return False
    return True


@pytest.mark.parametrize(
    "data",
    [
        b"0",
        b"-0.0e+1",
        b" [ ] ",
        b"\t{}\r\n",
        b'"\\u0000\\/"',
        b'"\\ud83d\\ude00"',
        '"\u2028é"'.encode(),
        b"1e-400",
        b'{"":0}',
    ],
)
def test_what_is_json_is_read(data):
    assert accepts(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"01",
        b"+1",
        b".5",
        b"1.",
        b"0x1",
        b"1_0",
        b"- 1",
        b"[1,]",
        b"[,1]",
        b'{"a":1,}',
        b"{a:1}",
        b"{'a':1}",
        b"nul",
        b"True",
        b"1 2",
        b"[1}",
        b"[",
        b'"',
        b'"\\x41"',
        b'"\\u12"',
        b'"\t"',
        b'"\x00"',
        b"\x0c1",
        b"\xa01",
        b"\xef\xbb\xbf{}",
        b'"\xff"',
        b"/**/1",
        b"NaN",
        b"-Infinity",
        b"1e309",
        b"-1e309",
        b'{"a":1,"a":1}',
        b'{"a":1,"\\u0061":2}',
        b'"\\ud800"',
        b'["\\udc00\\ud800"]',
        "\uff11".encode(),
    ],
)
def test_what_is_not_json_or_could_be_read_two_ways_is_refused(data):
    assert not accepts(data)


@pytest.mark.skipif(not SUITE, reason="JSON_TEST_SUITE does not name a checkout of the public suite")
def test_the_public_suite_agrees_but_for_doubled_keys():
    files = sorted(Path(SUITE).glob("[yn]_*.json"))
    assert len(files) > 250
    wrong = [path.name for path in files if accepts(path.read_bytes()) != path.name.startswith("y_")]
    assert set(wrong) == DOUBLED
