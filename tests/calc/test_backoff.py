"""Retries after an outage, against cases that can be worked out by hand."""

import pytest

from picolab.calc.backoff import comeback


def test_without_an_outage_nobody_tries_again():
    seen = comeback(clients=7, retries=4, first=0.5, outage=0, jitter=False)
    assert sorted(seen.arrivals) == [0] * 7
    assert (seen.gave_up, seen.busiest()) == (0, 0)


def test_waits_double_and_the_first_attempt_after_the_outage_is_the_last():
    seen = comeback(clients=1, retries=6, first=0.5, outage=5.0, jitter=False)
    assert sorted(seen.arrivals) == [0, 0.5, 1.5, 3.5, 7.5]
    assert (seen.gave_up, seen.busiest()) == (0, 1)


def test_an_outage_longer_than_all_waits_makes_everybody_give_up():
    seen = comeback(clients=30, retries=2, first=1.0, outage=60, jitter=True)
    assert seen.gave_up == 30
    assert seen.arrivals.size == 30 * 3


def test_an_attempt_at_the_very_end_of_the_outage_succeeds():
    assert sorted(comeback(1, 5, 0.5, outage=1.5, jitter=False).arrivals) == [0, 0.5, 1.5]


def test_without_chance_all_come_at_once_and_chance_spreads_them_over_half_of_a_wait():
    assert comeback(500, 5, 0.5, 5.0, jitter=False).busiest() == 500
    spread = comeback(500, 1, 1.0, 0.1, jitter=True)
    retries = spread.arrivals[spread.arrivals > 0]
    assert retries.size == 500
    assert retries.min() >= 0.5
    assert retries.max() <= 1.0
    # 500 clients over half a second: 100 in a tenth of a second on average, and the busiest tenth not far above it
    assert 100 <= spread.busiest() < 160


def test_the_same_seed_gives_the_same_outage():
    def one(seed):
        return comeback(20, 3, 0.5, 2.0, True, seed).arrivals.tolist()

    assert one(1) == one(1) != one(2)


@pytest.mark.parametrize("bad", [{"clients": 0}, {"retries": -1}, {"first": -0.1}, {"outage": float("nan")}])
def test_nonsense_is_refused(bad):
    with pytest.raises(ValueError, match="clients must be 1 or more"):
        comeback(**({"clients": 5, "retries": 3, "first": 0.5, "outage": 1.0, "jitter": True} | bad))
