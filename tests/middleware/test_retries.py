"""A failure that may pass is tried again, as often as allowed, no sooner than asked, and every attempt counts."""

import asyncio

import pytest

from picolab import Agent, Budget
from picolab.errors import ModelError
from picolab.messages import Reply, Text
from picolab.middleware.retries import Retries


class Failing:
    """Fails so many times, then replies."""

    name = "failing"

    def __init__(self, times, error):
        self.left, self.error, self.calls = times, error, 0

    async def reply(self, request):
        self.calls += 1
        if self.left:
            self.left -= 1
            raise self.error
        return Reply((Text("done"),))


def run(model, retries, **options):
    agent = Agent(model, middleware=[retries], retries=0, **options)
    return asyncio.run(agent.ask("Go."))


def waiting():
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    return waits, sleep


def test_waits_double_and_are_partly_chance():
    waits, sleep = waiting()
    model = Failing(4, ModelError("busy", retry=True))
    assert run(model, Retries(4, first=1.0, sleep=sleep)).state == "completed"
    for wait, longest in zip(waits, (1, 2, 4, 8), strict=True):
        assert longest / 2 <= wait <= longest


def test_the_wait_that_the_provider_asks_for_is_kept():
    waits, sleep = waiting()
    run(Failing(1, ModelError("busy", retry=True, wait=7.5)), Retries(sleep=sleep))
    assert waits == [7.5]


def test_a_wait_that_is_too_long_ends_the_call():
    waits, sleep = waiting()
    model = Failing(1, ModelError("busy", retry=True, wait=3600))
    outcome = run(model, Retries(sleep=sleep))
    assert (outcome.state, model.calls, waits) == ("failed", 1, [])


@pytest.mark.parametrize("error", [ModelError("no"), RuntimeError("no"), ValueError("no")])
def test_what_will_not_pass_is_not_tried_again(error):
    model = Failing(1, error)
    assert run(model, Retries()).state == "failed"
    assert model.calls == 1


def test_attempts_count_against_the_budget():
    model = Failing(9, ModelError("busy", retry=True, wait=0))
    outcome = asyncio.run(Agent(model, budget=Budget(attempts=2), retries=5).ask("Go."))
    assert outcome.state == "budget_exhausted"
    assert model.calls == 2


def test_nonsense_is_refused():
    for wrong in ({"most": -1}, {"first": -1}, {"longest": float("nan")}):
        with pytest.raises(ValueError, match="0 or more"):
            Retries(**wrong)
