"""A policy is a program that reads observations, and a function of the history alone."""

import asyncio

import pytest

from picolab.errors import ModelError
from picolab.messages import ToolResult, results, user
from picolab.models import Request, call, flaky, policy, say_and_call, script
from picolab.models.script import UnusedScript


@policy
def adder(task):
    first = yield call("number", name="a")
    second, third = yield [call("number", name="b"), call("number", name="c")]
    total = sum(int(r.content) for r in (first, second, third))
    objection = yield f"{task}: {total}"
    yield f"again, after {objection!r}"


def converse(model, answer, turns, history=None):
    """Drive a model by hand for so many turns; returns the history."""
    history = history or [user("sum")]
    for _ in range(turns):
        reply = asyncio.run(model.reply(Request(history)))
        history.append(reply.message())
        made = reply.calls
        history.append(results(ToolResult(c.id, answer(c)) for c in made) if made else user("why?"))
    return history


def test_it_receives_one_result_for_one_call_and_a_list_for_several():
    history = converse(adder(), lambda c: "2", 4)
    assert history[5].text == "sum: 6"
    assert history[7].text == "again, after 'why?'"


def test_other_observations_give_another_answer():
    numbers = iter("123")
    assert converse(adder(), lambda c: next(numbers), 3)[5].text == "sum: 6"
    assert converse(adder(), lambda c: "40", 3)[5].text == "sum: 120"


@pytest.mark.parametrize("turns", range(4))
def test_a_fresh_policy_goes_on_from_a_history_that_another_left(turns):
    whole = converse(adder(), lambda c: "2", 4)
    left = whole[: 1 + 2 * turns]
    assert converse(adder(), lambda c: "2", 4 - turns, list(left)) == whole


def test_one_policy_serves_a_second_run_from_its_first_line():
    model = adder()
    assert converse(model, lambda c: "2", 4) == converse(model, lambda c: "2", 4)


def test_a_result_that_was_dropped_from_the_history_is_an_error_that_names_it():
    model = adder()
    history = converse(model, lambda c: "2", 1)
    history[-1] = results([ToolResult("other", "2")])
    with pytest.raises(ModelError, match="no result for c1"):
        asyncio.run(model.reply(Request(history)))


def test_a_thought_stands_beside_its_call():
    @policy
    def thinker():
        yield say_and_call("first I look", call("look"))

    reply = asyncio.run(thinker().reply(Request([user("go")])))
    assert reply.text == "first I look"
    assert reply.calls[0].name == "look"
    assert reply.stop_reason == "tool_use"


def test_returning_ends_with_an_answer_that_is_repeated_under_objection():
    @policy
    def stubborn():
        yield call("look")
        return "done"

    history = converse(stubborn(), lambda c: "x", 3)
    assert [history[i].text for i in (3, 5)] == ["done", "done"]


@pytest.mark.parametrize("nonsense", [7, [], {"a": 1}, [call("x"), "y"]])
def test_yielding_something_else_is_an_error_that_says_what_may_be_yielded(nonsense):
    @policy
    def odd():
        yield nonsense

    with pytest.raises(ModelError, match="a policy yields"):
        asyncio.run(odd().reply(Request([user("go")])))


def test_usage_counts_the_unchanged_prefix_as_read_from_the_cache():
    model = adder()
    history = [user("sum")]
    first = asyncio.run(model.reply(Request(history)))
    history += [first.message(), results([ToolResult("c1", "2")])]
    second = asyncio.run(model.reply(Request(history)))
    assert first.usage.cache_read_tokens == 0
    assert second.usage.cache_read_tokens == first.usage.input_tokens
    assert second.usage.input_tokens == Request(history).tokens


def test_a_script_refuses_to_be_asked_for_more_and_to_leave_steps_over():
    model = script(call("look"), "done")
    with pytest.raises(UnusedScript, match="2 of 2"):
        model.finish()
    for _ in range(2):
        asyncio.run(model.reply(Request([user("go")])))
    model.finish()
    with pytest.raises(ModelError, match="one more"):
        asyncio.run(model.reply(Request([user("go")])))


def test_flaky_faults_are_the_same_for_a_seed_and_differ_between_seeds():
    def names(seed):
        model = flaky(script(*[call("look")] * 40), 0.5, seed).begin()
        return [asyncio.run(model.reply(Request([user("go")]))).message() for _ in range(40)]

    assert names(1) == names(1)
    assert names(1) != names(2)


def test_flaky_at_zero_changes_nothing_and_at_one_never_tells_the_truth():
    good = [call("look")] * 5
    plain = [asyncio.run(script(*good).reply(Request([user("go")]))).calls[0].name]
    for p, expected in ((0, set(plain)), (1, set())):
        model = flaky(script(*good), p, seed=3, faults=("unknown_tool",))
        seen = {asyncio.run(model.reply(Request([user("go")]))).calls[0].name for _ in range(5)}
        assert seen & {"look"} == expected


@pytest.mark.parametrize(
    "bad", [{"p": -0.1}, {"p": 1.1}, {"p": float("nan")}, {"p": 0.5, "faults": ("tea",)}]
)
def test_flaky_refuses_nonsense(bad):
    with pytest.raises(ValueError):
        flaky(script(), seed=1, **bad)
