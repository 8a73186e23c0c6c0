"""A cut keeps both ends, counts its own note, and never passes the limit."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from picolab.tools.cut import cut


@given(st.text(max_size=400), st.integers(0, 300))
def test_it_never_passes_the_limit_and_leaves_short_texts_alone(text, limit):
    result = cut(text, limit)
    assert len(result) <= limit or result == text
    if len(text) <= limit:
        assert result == text


@given(st.integers(100, 3000), st.integers(3001, 9000))
def test_it_says_exactly_how_much_is_missing(limit, length):
    text = "a" * (length // 2) + "z" * (length - length // 2)
    result = cut(text, limit)
    head, note, tail = result.split("\n")
    missing = int(note.split()[1].replace(",", ""))
    assert missing == len(text) - len(head) - len(tail)
    assert abs(len(head) - len(tail)) <= 1
    assert text.startswith(head)
    assert text.endswith(tail)


@given(
    st.lists(st.text("abc", max_size=30), min_size=30, max_size=60), st.floats(0, 1), st.integers(120, 400)
)
def test_lines_stay_whole_where_both_ends_have_some(lines, head, limit):
    text = "\n".join(lines)
    result = cut(text, limit, head)
    assert len(result) <= max(limit, len(text) if len(text) <= limit else limit)
    if result != text:
        missing = int(re.search(r"\[… ([\d,]+) of", result)[1].replace(",", ""))
        first, last = result.split(re.search(r"\n\[…[^\n]*\n", result)[0])
        assert missing == len(text) - len(first) - len(last)
        assert text.startswith(first)
        assert text.endswith(last)


def test_a_log_is_cut_between_lines():
    lines = [f"line {n:03}" for n in range(200)]
    result = cut("\n".join(lines), 300)
    assert set(result.split("\n")) <= {*lines, *(line for line in result.split("\n") if "cut" in line)}


def test_the_share_of_the_beginning_can_be_chosen_and_nonsense_is_refused():
    text = "a" * 500 + "z" * 500
    assert "z" not in cut(text, 200, head=1.0)
    assert cut(text, 200, head=0.0).startswith("\n[…")
    for head in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="from 0 to 1"):
            cut(text, 200, head)
