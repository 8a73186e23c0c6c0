"""The arithmetic of context growth: closed forms agree with simulation, and nonsense is refused."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from picolab import cli
from picolab.budgets import Price
from picolab.calc import context as calc
from picolab.calc.facts import FACTS, fact
from picolab.calc.prices import PRICES
from picolab.classroom import course
from picolab.errors import PicolabError

tokens = st.integers(0, 10**7)
steps = st.integers(0, 300)


@given(tokens, tokens, steps)
def test_closed_forms_agree_with_playing_it_through(start, increment, steps):
    assert calc.processed(start, increment, steps) == sum(calc.simulate(start, increment, steps, reuse=False))
    assert calc.processed(start, increment, steps) == sum(calc.inputs(start, increment, steps))
    assert calc.processed_with_reuse(start, increment, steps) == sum(calc.simulate(start, increment, steps))


@given(tokens, tokens, steps, st.integers(0, 320))
def test_a_broken_prefix_costs_the_same_in_the_closed_form(start, increment, steps, at):
    whole = calc.processed_with_reuse(start, increment, steps, at)
    assert whole == sum(calc.simulate(start, increment, steps, True, at))
    assert (
        calc.processed_with_reuse(start, increment, steps)
        <= whole
        <= max(calc.processed(start, increment, steps), whole)
    )


@given(st.integers(0, 400), st.integers(0, 90), st.integers(0, 12))
def test_attention_pairs_are_counted_right(start, increment, steps):
    lengths = calc.inputs(start, increment, steps)
    assert calc.attention_pairs(start, increment, steps, reuse=False) == sum(
        sum(range(1, n + 1)) for n in lengths
    )
    assert calc.attention_pairs(start, increment, steps) == sum(range(1, (lengths[-1] if lengths else 0) + 1))


def test_arrays_give_arrays_of_the_same_values():
    starts, increments, counts = np.array([3000, 10, 0]), np.array([1500, 5, 7]), np.array([20, 1, 0])
    for function in (calc.processed, calc.processed_with_reuse, calc.final_history):
        expected = [
            function(int(a), int(b), int(c)) for a, b, c in zip(starts, increments, counts, strict=True)
        ]
        assert function(starts, increments, counts).tolist() == expected
    assert calc.processed_with_reuse(starts, increments, counts, 5).tolist() == [
        calc.processed_with_reuse(int(a), int(b), int(c), 5)
        for a, b, c in zip(starts, increments, counts, strict=True)
    ]


@pytest.mark.parametrize(
    "bad", [-1, 1.5, float("nan"), float("inf"), "ten", None, True, np.array([-1]), np.array([0.5])]
)
def test_what_is_no_count_is_refused(bad):
    for call in (
        lambda: calc.processed(bad, 1, 1),
        lambda: calc.kv_bytes(bad),
        lambda: calc.final_history(1, 1, bad),
    ):
        with pytest.raises(ValueError, match="count"):
            call()


def test_costs_add_up_call_by_call():
    price = Price(3.0, 15.0, 0.3)
    assert calc.cost(1000, 500, 3, price, reuse=False) == pytest.approx((1000 + 1500 + 2000) * 3 / 1e6)
    assert calc.cost(1000, 500, 3, price) == pytest.approx((2000 * 3 + (1000 + 1500) * 0.3) / 1e6)
    assert calc.cost(1000, 500, 3, price, write_premium=1.25) == pytest.approx(
        (2000 * 3.75 + 2500 * 0.3) / 1e6
    )
    assert calc.cost(1000, 500, 3, price, expires_before=3) == pytest.approx((3500 * 3 + 1000 * 0.3) / 1e6)
    assert calc.cost(1000, 500, 3, price, output=100, reuse=False) == pytest.approx(
        (4500 * 3 + 300 * 15) / 1e6
    )
    for bad in ({"write_premium": -1}, {"write_premium": float("nan")}, {"output": -1}):
        with pytest.raises(ValueError):
            calc.cost(1, 1, 1, PRICES["large model"], **bad)


PUBLISHED = {
    "guided.checks": 9.34e-6,
    "context.processed": 345_000,
    "context.reused": 31_500,
    "context.ratio": 10.9524,
    "context.history": 33_000,
    "context.kv": 4.0283,
    "context.run_cost": 1.80,
    "context.month_cost": 2_700,
}


@pytest.mark.parametrize("figure", FACTS, ids=lambda f: f.id)
def test_every_figure_has_the_published_value_a_unit_a_source_and_a_lesson(figure):
    assert figure.value == pytest.approx(PUBLISHED[figure.id], rel=5e-4, abs=0)
    assert figure.unit
    assert figure.source
    assert figure.lesson in {module.stem for module in course.modules()}
    assert figure.as_json()["published"] is None


def test_the_commands_print_figures_as_text_and_json(capsys):
    assert cli.main(["facts", "--json"]) == 0
    assert {each["id"] for each in json.loads(capsys.readouterr().out)} == set(PUBLISHED)
    assert cli.main(["facts"]) == 0
    assert "345,000" in capsys.readouterr().out
    assert cli.main(["calc", "context.processed", "steps=3", "start=1_000", "increment=500", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == 4500


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["context.procesed"], "did you mean context.processed"),
        (["context.processed", "tokens=3"], "its inputs are start, increment, steps"),
        (["context.processed", "steps"], "name=value"),
        (["context.processed", "steps=many"], "must be a number"),
        (["context.processed", "steps=-3"], "0 or more"),
        (["context.processed", "steps=2.5"], "whole number"),
        (["context.processed", "steps=nan"], "whole number"),
        (["context.month_cost", "dollars_per_run=-1"], "0 or more"),
        (["context.ratio", "start=0", "increment=0"], "context.ratio"),
    ],
)
def test_nonsense_is_refused_with_a_message(arguments, says, capsys):
    assert cli.main(["calc", *arguments]) == 2
    assert says in capsys.readouterr().err


def test_a_figure_that_is_not_there_is_an_error():
    with pytest.raises(PicolabError):
        fact("nothing")
