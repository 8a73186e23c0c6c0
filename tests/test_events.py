"""Events keep their exact form through JSON, and a reader refuses what it does not know."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from picolab import events, messages
from picolab.errors import PicolabError

texts = st.text(st.characters(codec=None, categories=None))
"""Any text, lone surrogates and control characters included."""
counts = st.integers(0, 10**12)
times = st.floats(0, 1e9, allow_nan=False)
calls = st.builds(messages.ToolCall, texts, texts, texts)
usages = st.builds(messages.Usage, counts, counts, counts, counts)
results = st.builds(messages.ToolResult, texts, texts, st.booleans())
parts = st.lists(st.one_of(st.builds(messages.Text, texts), calls), max_size=4).map(tuple)
replies = st.builds(messages.Reply, parts, usages, texts)
BY_TYPE = {
    str: texts,
    int: counts,
    float: times,
    messages.ToolCall: calls,
    messages.ToolResult: results,
    messages.Usage: usages,
    messages.Reply: replies,
}


def every_event():
    def built(kind):
        known = [f for f in fields(kind) if f.name != "schema"]
        return st.builds(kind, *(BY_TYPE[f.type] for f in known))

    return st.one_of([built(kind) for kind in events.KINDS.values()])


@given(every_event())
def test_every_event_comes_back_from_json_as_it_was(event):
    line = events.to_json(event)
    assert line.isascii()
    assert "\n" not in line
    back = events.from_json(line)
    assert back == event
    assert type(back) is type(event)
    assert events.to_json(back) == line


def test_every_kind_of_event_has_a_name_of_its_own():
    defined = [value for value in vars(events).values() if isinstance(value, type) and "kind" in vars(value)]
    assert {kind.kind for kind in defined if kind is not events.Event} == set(events.KINDS)
    assert len(events.KINDS) == len(events.EVENTS)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"kind": "tea_was_made", "step": 1, "at": 0}',
        '{"kind": "run_stopped", "step": 1, "at": 0}',
        '{"kind": "completion_rejected", "step": 1, "at": 0, "reason": "x", "more": 1}',
        '{"kind": "tool_started", "step": 1, "at": 0, "call": {"type": "Nonsense"}}',
        '{"kind": "completion_rej',
        '{"kind": "run_started", "step": 0, "at": 0, "task": "t", "model": "m", "schema": 2}',
        "[" * 100_000,
    ],
)
def test_a_line_that_is_no_event_is_refused_with_advice(line):
    with pytest.raises(PicolabError, match="another version"):
        events.from_json(line)
