"""An agent under faults: every one ends in a typed outcome, and none in a false success."""

import asyncio
import subprocess
import sys
import threading
import time
from contextlib import aclosing
from dataclasses import dataclass

import pytest

from picolab import Agent, Budget, Middleware, Permissions, Price, call, flaky, policy, script, tool
from picolab.errors import Blocked, ModelError, PicolabError
from picolab.events import CompletionRejected, ModelAsked, RunStopped, ToolFinished, ToolStarted
from picolab.messages import Reply, Text, ToolCall, Usage
from picolab.models.script import UnusedScript


@tool
async def echo(text: str, times: int = 1) -> str:
    """Say it back."""
    return text * times


def ask(agent, task="go"):
    return asyncio.run(agent.ask(task))


def raw(arguments, name="echo", id="c1"):
    """A reply with one call whose arguments are exactly this text."""
    return Reply((ToolCall(id, name, arguments),), stop_reason="tool_use")


def finished(outcome):
    return [event for event in outcome.trace if isinstance(event, ToolFinished)]


def test_a_run_asks_acts_observes_and_completes():
    outcome = ask(Agent(script(call("echo", text="hi"), "it said hi"), [echo]))
    assert (outcome.state, outcome.answer, outcome.steps) == ("completed", "it said hi", 2)
    assert [m.role for m in outcome.log] == ["user", "assistant", "tool", "assistant"]
    assert outcome.log[2].results[0].content == "hi"
    kinds = [event.kind for event in outcome.trace]
    one_call = ["model_asked", "model_replied", "tool_started", "tool_finished"]
    assert kinds == ["run_started", *one_call, "model_asked", "model_replied", "run_stopped"]


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (raw('{"text": "hi"'), "not valid JSON"),
        (raw('["hi"]'), "one JSON object"),
        (raw('{"text": 7}'), "must be a string"),
        (raw('{"text": "a", "loud": true}'), "no argument 'loud'"),
        (raw("{}"), "lack 'text'"),
        (raw('{"text": "a", "times": true}'), "must be an integer"),
        (raw("{}", name="shout"), "the tools are: echo"),
    ],
)
def test_a_malformed_call_goes_back_to_the_model_and_is_never_run(reply, says):
    outcome = ask(Agent(script(reply, "I give up"), [echo]))
    (event,) = finished(outcome)
    assert event.result.is_error
    assert says in event.result.content
    assert not [e for e in outcome.trace if isinstance(e, ToolStarted)]
    assert outcome.log[2].results == (event.result,)


def test_an_unknown_tool_asked_for_ever_ends_with_the_budget():
    @policy
    def lost():
        while True:
            yield call("teleport")

    outcome = ask(Agent(lost(), [echo], budget=Budget(steps=7)))
    assert (outcome.state, outcome.answer) == ("budget_exhausted", "")
    assert "7" in outcome.reason
    assert len(finished(outcome)) == 7


def test_a_call_id_used_twice_is_run_once_and_the_history_stays_unambiguous():
    ran = []

    @tool
    async def note(text: str) -> str:
        ran.append(text)
        return text

    twice = Reply((ToolCall("x", "note", '{"text": "a"}'), ToolCall("x", "note", '{"text": "b"}')))
    again = Reply((ToolCall("x", "note", '{"text": "c"}'),))
    outcome = ask(Agent(script(twice, again, "done"), [note]))
    assert ran == ["a"]
    ids = [c.id for message in outcome.log for c in message.calls]
    assert len(set(ids)) == 3
    answered = [r.call_id for message in outcome.log for r in message.results]
    assert answered == ids
    assert [e.result.is_error for e in finished(outcome)] == [False, True, True]


def test_a_tool_that_raises_is_an_observation_without_a_traceback():
    @tool
    def broken() -> str:
        raise KeyError("colour\nof money")

    (event,) = finished(ask(Agent(script(call("broken"), "done"), [broken])))
    assert event.result.is_error
    assert "KeyError" in event.result.content
    assert "\n" not in event.result.content


@pytest.mark.parametrize("inline", [True, False])
def test_a_tool_that_exits_does_not_take_the_program_with_it(inline):
    @tool(inline=inline)
    def leave() -> str:
        sys.exit(3)

    outcome = ask(Agent(script(call("leave"), "done"), [leave]))
    assert outcome.state == "completed"
    assert "SystemExit" in finished(outcome)[0].result.content


def test_an_async_tool_that_exits_is_an_observation_too():
    @tool
    async def leave() -> str:
        sys.exit(3)

    assert "SystemExit" in finished(ask(Agent(script(call("leave"), "done"), [leave])))[0].result.content


def test_a_tool_that_hangs_is_stopped_whether_plain_or_async():
    release = threading.Event()

    @tool(timeout=0.05)
    def sleeps() -> str:
        release.wait(30)

    @tool(timeout=0.05)
    async def waits() -> str:
        await asyncio.sleep(30)

    began = time.monotonic()
    outcome = ask(Agent(script(call("sleeps"), call("waits"), "done"), [sleeps, waits]))
    release.set()
    assert time.monotonic() - began < 10
    assert all("stopped after 0.05 seconds" in e.result.content for e in finished(outcome))


def test_a_program_ends_although_a_tool_never_does(tmp_path):
    program = """
import asyncio, time
from picolab import Agent, script, call, tool
@tool(timeout=0.05)
def hang() -> str:
    while True: time.sleep(60)
print(asyncio.run(Agent(script(call("hang"), "done"), [hang]).ask("go")).state)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.returncode) == ("completed", 0), done.stderr


def test_a_timeout_error_of_the_tools_own_is_not_mistaken_for_ours():
    @tool
    async def slow_server() -> str:
        raise TimeoutError("the server took 3 s")

    assert (
        "the server took 3 s"
        in finished(ask(Agent(script(call("slow_server"), "d"), [slow_server])))[0].result.content
    )


def test_five_megabytes_are_cut_with_both_ends_kept():
    @tool
    def dump() -> str:
        return "first" + "x" * 5_000_000 + "last"

    content = finished(ask(Agent(script(call("dump"), "done"), [dump])))[0].result.content
    assert len(content) <= 30_000
    assert content.startswith("first")
    assert content.endswith("last")
    assert "characters cut" in content


@pytest.mark.parametrize(
    ("value", "content", "is_error"),
    [
        (None, "(no output)", False),
        ({"a": [1]}, '{"a": [1]}', False),
        ({1, 2}, "neither text nor JSON", True),
    ],
)
def test_what_is_not_text_becomes_json_or_a_clear_error(value, content, is_error):
    @tool
    def give() -> str:
        return value

    result = finished(ask(Agent(script(call("give"), "done"), [give])))[0].result
    assert content in result.content
    assert result.is_error is is_error


def test_a_model_that_fails_on_its_second_call_fails_the_run():
    outcome = ask(Agent(script(call("echo", text="task text"), RuntimeError("502 from upstream")), [echo]))
    assert (outcome.state, outcome.answer) == ("failed", "")
    assert "502 from upstream" in outcome.reason


@pytest.mark.parametrize(
    "reply",
    [
        None,
        "text",
        {"role": "assistant"},
        Reply(["list"]),
        Reply(("text",)),
        Reply((Text(None),)),
        Reply((ToolCall("a", "echo", {"text": "x"}),)),
        Reply((ToolCall(1, "echo", "{}"),)),
        Reply((Text("hi"),), usage=None),
    ],
)
def test_an_answer_that_is_no_well_formed_reply_fails_the_run(reply):
    class Odd:
        name = "odd"

        async def reply(self, request):
            return reply

    outcome = ask(Agent(Odd(), [echo]))
    assert outcome.state == "failed"
    assert "odd" in outcome.reason


@pytest.mark.parametrize(
    "empty", [Reply(()), Reply((Text("  \n"),)), Reply((Text("half an ans"),), stop_reason="max_tokens")]
)
def test_an_empty_or_cut_answer_is_sent_back_and_never_a_success(empty):
    outcome = ask(Agent(script(empty, "a real answer")))
    assert (outcome.state, outcome.answer) == ("completed", "a real answer")
    assert ask(Agent(script(*[empty] * 4))).state == "failed"


@dataclass
class Verdict:
    ok: bool
    feedback: str = ""


def test_a_confident_wrong_answer_is_fed_back_and_not_believed():
    async def verify(task, answer):
        return Verdict(answer == "4", f"{answer} is not right")

    outcome = ask(Agent(script("5, certainly", "4"), verify=verify), "2 + 2")
    assert (outcome.state, outcome.answer) == ("completed", "4")
    assert outcome.verdict.ok
    assert [e.reason for e in outcome.trace if isinstance(e, CompletionRejected)] == [
        "5, certainly is not right"
    ]
    stubborn = ask(Agent(script(*["5"] * 4), verify=verify))
    assert stubborn.state == "failed"
    assert "rejected 4 times" in stubborn.reason


def test_a_verifier_that_breaks_is_not_a_verification():
    async def verify(task, answer):
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk"):
        ask(Agent(script("done"), verify=verify))


def test_a_tool_that_knows_the_way_is_blocked_ends_the_run_and_answers_every_call():
    @tool(parallel=True)
    async def give_up(reason: str) -> str:
        raise Blocked(reason)

    @tool(parallel=True)
    async def endless() -> str:
        await asyncio.Event().wait()

    outcome = ask(Agent(script([call("endless"), call("give_up", reason="no keys")]), [give_up, endless]))
    assert (outcome.state, outcome.reason) == ("blocked", "no keys")
    assert [r.call_id for r in outcome.log[-1].results] == [c.id for c in outcome.log[-2].calls]


def test_neighbours_that_are_safe_together_overlap_and_answer_in_the_order_asked():
    both = threading.Barrier(3, timeout=20)

    @tool(parallel=True)
    def meet(name: str) -> str:
        both.wait()
        return name

    outcome = ask(Agent(script([call("meet", name=n) for n in "abc"], "done"), [meet]))
    assert [r.content for r in outcome.log[2].results] == ["a", "b", "c"]


def test_tools_that_are_not_declared_safe_run_one_after_another():
    running = []

    @tool
    async def careful(name: str) -> str:
        running.append(name)
        await asyncio.sleep(0.01)
        assert running == [name]
        running.remove(name)
        return name

    outcome = ask(Agent(script([call("careful", name=n) for n in "abc"], "done"), [careful]))
    assert [r.content for r in outcome.log[2].results] == ["a", "b", "c"]


def test_a_call_that_is_not_permitted_is_refused_before_it_runs():
    outcome = ask(
        Agent(script(call("echo", text="x"), "done"), [echo], middleware=[Permissions(deny=["echo"])])
    )
    assert "not permitted" in finished(outcome)[0].result.content
    assert not [e for e in outcome.trace if isinstance(e, ToolStarted)]
    outcome = ask(
        Agent(script(call("echo", text="x"), "done"), [echo], middleware=[Permissions(allow=["read"])])
    )
    assert finished(outcome)[0].result.is_error


class Counting:
    """A model that goes on calling, and says what each reply cost."""

    name = "counting"

    def __init__(self, pause=0.0):
        self.pause, self.made = pause, 0

    async def reply(self, request):
        await asyncio.sleep(self.pause)
        self.made += 1
        return Reply((ToolCall(f"c{self.made}", "echo", '{"text": "x"}'),), Usage(1000, 100))


@pytest.mark.parametrize(
    ("budget", "made", "says"),
    [
        (Budget(steps=3), 3, "steps"),
        (Budget(steps=0), 0, "steps"),
        (Budget(steps=None, attempts=4), 4, "attempts"),
        (Budget(steps=None, tokens=2500), 3, "tokens"),
        (Budget(steps=None, dollars=0.008, price=Price(input=3, output=15)), 2, "money"),
    ],
)
def test_each_budget_stops_the_run_and_says_which_it_was(budget, made, says):
    model = Counting()
    outcome = ask(Agent(model, [echo], budget=budget))
    assert (outcome.state, model.made) == ("budget_exhausted", made)
    assert says in outcome.reason
    assert outcome.answer == ""


def test_the_time_budget_cuts_short_a_model_that_thinks_and_a_tool_that_works():
    @tool
    async def work() -> str:
        await asyncio.sleep(30)

    for agent in (
        Agent(Counting(pause=30), [echo], budget=Budget(seconds=0.05)),
        Agent(script(call("work")), [work], budget=Budget(seconds=0.05)),
    ):
        outcome = ask(agent)
        assert outcome.state == "budget_exhausted"
        assert "time" in outcome.reason


@pytest.mark.parametrize("bad", [{"steps": -1}, {"seconds": float("nan")}, {"dollars": 1.0}])
def test_a_budget_that_makes_no_sense_is_refused(bad):
    with pytest.raises(ValueError):
        Budget(**bad)


@pytest.mark.parametrize("seed", range(20))
def test_a_policy_made_to_fail_still_arrives_or_says_that_it_did_not(seed):
    @policy
    def worker():
        heard = []
        for word in ("a", "b", "c"):
            heard.append((yield call("echo", text=word)).content)
        yield " ".join(heard)

    outcome = ask(Agent(flaky(worker(), 0.4, seed), [echo], budget=Budget(steps=40), most_rejections=20))
    assert outcome.state == "completed"
    assert outcome.answer == "a b c"


def test_flaky_providers_fail_the_run_when_nothing_retries():
    outcome = ask(Agent(flaky(script("done"), 1, 0, faults=("error",))))
    assert outcome.state == "failed"
    assert "flaky" in outcome.reason


def test_unused_script_steps_are_an_error():
    with pytest.raises(UnusedScript):
        ask(Agent(script("done", "never asked")))


def test_events_arrive_as_they_happen_and_the_last_is_the_stop():
    async def watch():
        return [event async for event in Agent(script(call("echo", text="x"), "done"), [echo]).run("go")]

    events = asyncio.run(watch())
    assert isinstance(events[-1], RunStopped)
    assert events[-1].state == "completed"
    assert [e.at for e in events] == sorted(e.at for e in events)


def test_leaving_the_iteration_cancels_the_tool_under_way():
    cancelled = asyncio.Event()

    @tool
    async def endless() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    async def leave():
        async with aclosing(Agent(script(call("endless")), [endless]).run("go")) as events:
            async for event in events:
                if isinstance(event, ToolStarted):
                    await asyncio.sleep(0)
                    break
        return cancelled.is_set()

    assert asyncio.run(leave())


def test_one_agent_serves_many_runs_at_once_without_mixing_them():
    @policy
    def repeats(task):
        first = yield call("echo", text=task)
        second = yield call("echo", text=first.content, times=2)
        yield second.content

    async def many():
        agent = Agent(repeats(), [echo])
        return await asyncio.gather(*[agent.ask(str(n)) for n in range(50)])

    assert [o.answer for o in asyncio.run(many())] == [str(n) * 2 for n in range(50)]


def test_layers_wrap_in_the_order_given_and_a_model_error_can_be_caught_and_retried():
    order = []

    class Layer(Middleware):
        def __init__(self, name):
            self.name = name

        async def model_call(self, run, request, next):
            order.append(self.name)
            try:
                return await next(run, request)
            except ModelError:
                return await next(run, request)

    outcome = ask(Agent(script(RuntimeError("once"), "done"), middleware=[Layer("outer"), Layer("inner")]))
    assert outcome.state == "completed"
    assert order[:2] == ["outer", "inner"]
    assert len([e for e in outcome.trace if isinstance(e, ModelAsked)]) == 2


def test_two_tools_with_one_name_are_refused():
    with pytest.raises(PicolabError, match="'echo'"):
        Agent(script(), [echo, echo])


def test_importing_the_package_loads_nothing_heavy():
    heavy = ("numpy", "IPython", "asyncio", "pytest", "rich", "json")
    program = f"import sys, picolab; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
