"""What a lesson asks is stored, what it says is checked, and what it compares has to agree."""

import pytest

from picolab.classroom import course, lesson
from picolab.classroom.lesson import compare, predict, recall, reveal, said, same_events
from picolab.events import ModelAsked, Noted, RunStarted


def shown(function, *arguments, **options):
    import IPython.display

    seen, before = [], IPython.display.display
    IPython.display.display = lambda data, raw: seen.append(data)
    try:
        function(*arguments, **options)
    finally:
        IPython.display.display = before
    return seen[-1]


def test_a_prediction_is_stored_before_the_reveal_and_shown_beside_what_happened(tiny):
    assert "no prediction" in shown(reveal, "x", 7)["text/plain"]
    predict("x", "How many?", choices=["six", "seven"], mine="six")
    assert lesson._read() == {"x": "six"}
    assert "✖ You predicted six" in shown(reveal, "x", "seven")["text/plain"]
    predict("x", "How many?", choices=["six", "seven"], mine="seven")
    assert "✔ You predicted seven" in shown(reveal, "x", "seven")["text/plain"]


def test_choosing_by_hand_stores_too(tiny):
    live = lesson._choice("Q", ["a", "b"], lambda chosen: lesson._store("k", chosen) or "kept")
    live.children[1].value = "b"
    assert lesson._read() == {"k": "b"}
    assert live.children[2].value == "kept"


def test_damaged_predictions_are_put_aside(tiny):
    course.state().mkdir()
    (course.state() / "predictions.json").write_text("[broken", encoding="utf-8")
    assert lesson._read() == {}
    assert [p.read_text(encoding="utf-8") for p in course.state().glob("predictions-damaged-*")] == [
        "[broken"
    ]


def test_a_recall_question_holds_its_answer_folded(tiny):
    data = shown(recall, "Why?", ["a", "b"], answer="b", why="Because.")
    assert "<details>" in data["text/html"]
    with pytest.raises(ValueError, match="not among"):
        recall("Why?", ["a"], answer="z")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("345,000", 345_000),
        ("10.95", 10.9524),
        ("$1.80", 1.8),
        ("72.0 %", 0.72),
        ("6.33e-5", 6.331e-5),
        ("7300 bytes", "7300 bytes"),
        ("-3", -3),
    ],
)
def test_said_agrees_to_the_digits_that_are_written(text, value):
    assert said(text, value) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [("10.95", 10.96), ("345,000", 344_999), ("1.8", 1.9), ("x", 3), ("a", "b"), ("72.0 %", 0.721)],
)
def test_said_refuses_what_does_not_agree(text, value):
    with pytest.raises(AssertionError):
        said(text, value)


def test_compare_names_the_first_input_on_which_two_functions_differ():
    compare(abs, lambda x: x if x > 0 else -x, on=[-1, 0, 2])
    with pytest.raises(AssertionError, match="on 3 yours gives 9"):
        compare(lambda x: x * x, lambda x: x + x, on=[2, 3])


def test_same_events_ignores_times_and_ends_and_names_a_difference():
    one = [RunStarted(0, 0, "t", "m"), ModelAsked(1, 0.1, 2, 3)]
    same_events(one, [ModelAsked(9, 7.0, 4, 5)])
    with pytest.raises(AssertionError, match="event 0"):
        same_events(one, [Noted(1, 0, "x", "y")])
    with pytest.raises(AssertionError, match="picolab's has 2"):
        same_events(one, [ModelAsked(1, 0, 2, 3)] * 2)
