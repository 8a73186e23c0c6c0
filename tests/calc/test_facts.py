"""Figures that are neither context nor money."""

import pytest

from picolab.calc.facts import FACTS
from picolab.calc.language import checks_per_flop


def test_a_small_number_that_differs_in_its_last_digit_is_seen():
    from dataclasses import replace

    checks = next(fact for fact in FACTS if fact.id == "guided.checks")
    assert replace(checks, published=9.35e-6).as_json()["published"] == 9.35e-6


def test_nonsense_is_refused():
    for vocabulary, parameters in ((-1, 1e9), (10, 0), (10, float("nan"))):
        with pytest.raises(ValueError, match="must be"):
            checks_per_flop(vocabulary, parameters)
