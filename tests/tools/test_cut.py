"""A cut keeps both ends, counts its own note, and never passes the limit."""

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
