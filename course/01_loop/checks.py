"""What judges the answers of the loop exercises."""

import asyncio
import json

from picolab import Agent, Budget, tool
from picolab.classroom import expect, judges
from picolab.errors import Blocked, BudgetExhausted, Failed
from picolab.history import History
from picolab.messages import Reply, Text, ToolCall, ToolResult, Usage, user

WORDS = [
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heath",
    "inlet",
    "juniper",
    "kelp",
    "lark",
]


def says(text, usage=Usage()):
    return Reply((Text(text),), usage)


def wants(*names, usage=Usage(), arguments="{}"):
    calls = tuple(ToolCall(f"call-{name}", name, arguments) for name in names)
    return Reply(calls, usage, "tool_use")


# 01.1 ---------------------------------------------------------------------------------------------------------------


@judges("01.1")
def adds_up_every_request(messages_read, rng):
    for calls in (1, 5, rng.randint(6, 60)):
        got, right = messages_read(calls), sum(1 + 2 * i for i in range(calls))
        slip = {
            2 * calls - 1: "That is how many the last request alone holds.",
            calls * (calls + 1) // 2: "A step adds two messages: the reply, and the message with its result.",
            calls * (calls - 1): "The task is a message too, and every request holds it.",
            right + calls: "The first request holds one message: nothing has been replied yet.",
        }.get(got, "The requests hold 1, 3, 5, … messages.")
        expect(
            got == right,
            f"for calls={calls} you returned {got!r}; the requests together hold {right}. {slip}",
        )
    return right


# 01.2 ---------------------------------------------------------------------------------------------------------------


async def _observed(observe, wanted, tools):
    """The answer's result, held to its form; whatever escapes is a failure with a name."""
    try:
        got = await observe(wanted, tools)
    except Exception as error:
        expect(
            False,
            f"{wanted} let {type(error).__name__} escape ({error}); the run would end. Return an error result.",
        )
    expect(isinstance(got, ToolResult), f"{wanted} gave {got!r}; every call gets a ToolResult.")
    expect(
        got.call_id == wanted.id,
        f"{wanted} was answered with call_id={got.call_id!r}; use the call's own id.",
    )
    return got


def _is_an_error(got, wanted):
    expect(
        got.is_error,
        f"{wanted} gave {got}; something was wrong, so is_error must be True, or the model takes it for data.",
    )
    lines = got.content.strip().splitlines()
    expect(
        len(lines) == 1,
        f"{wanted} gave {len(lines)} lines to read: {got.content[:120]!r}. Say it in one line; no traceback.",
    )


@judges("01.2")
async def a_good_call_gives_what_the_tool_returned(observe, rng):
    word, times = rng.choice(WORDS), rng.randint(1, 4)

    async def repeat(text, times):
        return text * times

    wanted = ToolCall(f"id{rng.randint(1, 999)}", "repeat", json.dumps({"text": word, "times": times}))
    got = await _observed(observe, wanted, {"repeat": repeat})
    expect(
        got.content == word * times and not got.is_error,
        f"{wanted} gave {got}; the tool returned {word * times!r}.",
    )
    return got.content


@judges("01.2")
async def an_unknown_tool_is_answered_with_the_names_there_are(observe, rng):
    async def anything():
        return "x"

    known = rng.sample(WORDS, 2)
    wanted = ToolCall("id1", "no_such_tool", "{}")
    got = await _observed(observe, wanted, dict.fromkeys(known, anything))
    _is_an_error(got, wanted)
    for name in known:
        expect(
            name in got.content,
            f"the result for an unknown tool is {got.content!r}; it should name {name!r}, which exists.",
        )
    return sorted(name for name in known if name in got.content)


@judges("01.2")
async def arguments_that_cannot_be_used_are_an_observation(observe, rng):
    ran = []

    async def measure(path):
        ran.append(path)
        return "7"

    word = rng.choice(WORDS)
    for arguments in (f'{{"path": "{word}', f'["{word}"]', "", "null", f'{{"way": "{word}"}}'):
        wanted = ToolCall("id2", "measure", arguments)
        _is_an_error(await _observed(observe, wanted, {"measure": measure}), wanted)
    expect(not ran, f"measure was run with {ran} although its arguments were wrong.")
    return len(ran)


@judges("01.2")
async def a_tool_that_raises_is_an_observation_in_one_line(observe, rng):
    word = rng.choice(WORDS)
    for error in (
        ValueError(f"bad {word}\nand a second line"),
        KeyError(word),
        OSError(word),
        RuntimeError(),
    ):

        async def broken(error=error):
            raise error

        wanted = ToolCall("id3", "broken", "{}")
        got = await _observed(observe, wanted, {"broken": broken})
        _is_an_error(got, wanted)
        expect(
            got.content.strip(),
            f"a tool raised {type(error).__name__} and the model would read nothing at all.",
        )
        if str(error):
            expect(
                word in got.content,
                f"a tool raised {error!r}, but the model would read {got.content!r}. Say what happened.",
            )
    return word in got.content


@judges("01.2")
async def a_cancellation_passes_through(observe, rng):
    async def endless():
        await asyncio.Event().wait()

    task = asyncio.ensure_future(observe(ToolCall("id4", "endless", "{}"), {"endless": endless}))
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.wait({task}, timeout=1)
    swallowed = task.done() and not task.cancelled()
    expect(not swallowed, "the run was cancelled, and observe turned that into a result. `except Exception` lets it pass; "
           "`except BaseException` or a bare `except` does not.")  # fmt: skip
    return task.cancelled()


# 01.3 ---------------------------------------------------------------------------------------------------------------


async def _play(loop, replies, objections=()):
    """Run the answer's loop on fixed replies; gives the final reply, the roles kept, and what the parts were asked."""
    replies, objections, asked = list(replies), list(objections), []
    history = History([user("the task")])

    async def ask(kept):
        expect(kept is history, "ask must be given the history itself.")
        expect(replies, "the loop asked the model again after its answer was accepted.")
        asked.append("ask")
        return replies.pop(0)

    async def act(calls):
        asked.append("act " + " ".join(call.name for call in calls))
        return tuple(ToolResult(call.id, f"result of {call.name}") for call in calls)

    async def review(reply):
        asked.append("review " + reply.text)
        return objections.pop(0) if objections else None

    try:
        final = await asyncio.wait_for(loop(ask, act, review, history), 5)
    except TimeoutError:
        expect(False, "the loop did not end within 5 seconds, although the answer was accepted.")
    return final, history, asked


@judges("01.3")
async def every_reply_and_every_result_is_kept_in_order(loop, rng):
    names = rng.sample(WORDS, 3)
    final, history, asked = await _play(loop, [wants(names[0]), wants(names[1], names[2]), says("done")])
    roles = [message.role for message in history.log]
    expect(
        isinstance(final, Reply) and final.text == "done",
        f"the loop returned {final!r}; return the accepted reply.",
    )
    right = ["user", "assistant", "tool", "assistant", "tool", "assistant"]
    if roles.count("assistant") < 3:
        expect(False, f"the history holds {roles}: a reply is missing. Keep each reply, also the last one.")
    if roles.count("tool") > 2:
        expect(
            False, f"the history holds {roles}: two calls of one reply need one message with both results."
        )
    expect(roles == right, f"the history holds {roles}; expected {right}.")
    got = [result.call_id for message in history.log for result in message.results]
    expect(
        got == [f"call-{name}" for name in names],
        f"results are kept in the order {got}; keep the order asked.",
    )
    return [*roles, *got, *asked]


@judges("01.3")
async def only_a_reply_without_calls_is_reviewed(loop, rng):
    name = rng.choice(WORDS)
    _, _, asked = await _play(loop, [Reply((Text("thinking"), ToolCall("call-x", name, "{}"))), says("done")])
    reviewed = [line for line in asked if line.startswith("review")]
    expect(
        "review thinking" not in reviewed,
        "a reply that makes calls was reviewed; it does not propose to stop.",
    )
    expect(
        reviewed == ["review done"],
        f"review was asked about {reviewed}; ask it once, about the reply without calls.",
    )
    return asked


@judges("01.3")
async def an_objection_is_kept_and_the_model_goes_on(loop, rng):
    objection = f"not yet, look at {rng.choice(WORDS)}"
    final, history, asked = await _play(loop, [says("first"), says("second")], [objection])
    expect(
        final.text == "second", f"the first answer met an objection, but the loop returned {final.text!r}."
    )
    kept = [message.text for message in history.log if message.role == "user"]
    expect(
        kept == ["the task", objection], f"the model was told {kept}; the objection must be a user message."
    )
    return [message.text for message in history.log]


@judges("01.3")
async def a_stop_ends_the_loop_at_once(loop, rng):
    async def ask(history):
        return wants(rng.choice(WORDS))

    async def act(calls):
        raise Blocked("no way on")

    async def review(reply):
        return None

    try:
        await asyncio.wait_for(loop(ask, act, review, History([user("go")])), 5)
    except Blocked as stop:
        return stop.state
    except TimeoutError:
        pass
    expect(False, "act raised Blocked, and the loop swallowed it. Catch nothing here.")


# 01.4 ---------------------------------------------------------------------------------------------------------------


async def _spend(ask, most=50):
    """Call until the budget stops it; gives how many calls were made, and the reason."""
    for made in range(most):
        try:
            got = await ask(History())
        except BudgetExhausted as stop:
            return made, stop.reason
        expect(
            isinstance(got, Reply),
            f"call {made + 1} gave {got!r}; within the limit, return the reply as it came.",
        )
    return most, ""


def _spender(usage):
    asked = []

    async def ask(history):
        asked.append(history)
        return says("more", usage)

    return ask, asked


@judges("01.4")
async def steps_are_counted_and_the_call_after_the_last_is_refused(with_budget, rng):
    for steps in (0, 1, rng.randint(3, 12)):
        ask, asked = _spender(Usage(10, 1))
        made, reason = await _spend(with_budget(ask, steps, None))
        expect(
            made == steps,
            f"with steps={steps}, {made} calls went through. Check before you ask, and count each one.",
        )
        expect(
            len(asked) == steps,
            f"with steps={steps}, the model was asked {len(asked)} times. Refuse before asking.",
        )
        expect("step" in reason.lower(), f"the reason is {reason!r}; say that it was the steps.")
    return made


@judges("01.4")
async def tokens_in_and_out_are_added_up(with_budget, rng):
    into, out = rng.randint(50, 90), rng.randint(20, 45)
    tokens = rng.randint(400, 900)
    ask, _ = _spender(Usage(into, out))
    made, reason = await _spend(with_budget(ask, None, tokens))
    right = -(-tokens // (into + out))
    expect(made == right, f"each reply used {into} + {out} tokens and the limit was {tokens}: {right} calls reach it, "
           f"but {made} went through. Add up usage.total, and compare before the next call.")  # fmt: skip
    expect("token" in reason.lower(), f"the reason is {reason!r}; say that it was the tokens.")
    return made


@judges("01.4")
async def no_limit_means_no_limit(with_budget, rng):
    most = rng.randint(20, 50)
    ask, _ = _spender(Usage(10**6, 10**6))
    made, _ = await _spend(with_budget(ask, None, None), most)
    expect(
        made == most,
        f"with steps=None and tokens=None the budget stopped after {made} calls. None is no limit.",
    )
    return made


@judges("01.4")
async def two_runs_do_not_share_a_count(with_budget, rng):
    steps = rng.randint(2, 5)
    first, second = (with_budget(_spender(Usage(1, 1))[0], steps, 1000) for _ in range(2))
    await _spend(first)
    made, _ = await _spend(second)
    expect(made == steps, f"a second wrapped ask allowed {made} calls of {steps} after the first had used its own. "
           "Keep the count inside with_budget, not outside it.")  # fmt: skip
    return made


# 01.5 ---------------------------------------------------------------------------------------------------------------


def _verifier(right):
    asked = []

    async def verify(text):
        asked.append(text)
        return None if text == right else f"{text} is not it"

    return verify, asked


@judges("01.5")
async def a_verified_answer_is_accepted_and_another_is_objected_to(reviewer, rng):
    right, wrong = rng.sample(WORDS, 2)
    verify, _ = _verifier(right)
    review = reviewer(verify, 3)
    objection = await review(says(wrong))
    expect(isinstance(objection, str) and wrong in objection,
           f"verify said “{wrong} is not it”, but review returned {objection!r}. Hand the reason on: the model needs it.")  # fmt: skip
    accepted = await review(says(right))
    expect(accepted is None, f"verify accepted {right!r}, but review returned {accepted!r}. None accepts.")
    return wrong in objection


@judges("01.5")
async def it_gives_up_after_so_many_objections(reviewer, rng):
    for most in (0, rng.randint(1, 5)):
        verify, asked = _verifier("right")
        review, made = reviewer(verify, most), 0
        try:
            for _ in range(most + 3):
                await review(says("wrong"))
                made += 1
        except Failed as stop:
            expect(
                "wrong is not it" in stop.reason, f"Failed says {stop.reason!r}; put the last reason in it."
            )
        else:
            expect(False, f"with most={most}, {made} objections were made and the run went on. Raise Failed.")
        expect(
            made == most,
            f"with most={most}, {made} objections came before Failed; the one after the {most}th is the end.",
        )
    return made


@judges("01.5")
async def an_empty_answer_never_reaches_the_verifier(reviewer, rng):
    verify, asked = _verifier("")
    review = reviewer(verify, 5)
    for text in ("", rng.choice([" ", "\n", "\t \n"])):
        objection = await review(says(text))
        expect(objection, f"the answer {text!r} was accepted. Nothing is not an answer.")
    expect(not asked, f"verify was asked about {asked}. An empty answer needs no verifier.")
    return len(asked)


@judges("01.5")
async def a_verifier_that_breaks_has_verified_nothing(reviewer, rng):
    word = rng.choice(WORDS)

    async def verify(text):
        raise OSError(f"cannot reach {word}")

    try:
        got = await reviewer(verify, 3)(says("an answer"))
    except Failed:
        expect(
            False,
            "verify raised OSError, and review raised Failed: the answer was not turned down, it was not looked at.",
        )
    except OSError as error:
        return str(error)
    expect(
        got is not None,
        "verify raised OSError, and review accepted the answer. That is the false success in its purest form.",
    )
    expect(
        False,
        f"verify raised OSError, and review told the model {got!r}. The model cannot mend a verifier; let it pass.",
    )


# 01.6 ---------------------------------------------------------------------------------------------------------------


def _suite(rng):
    """Tests by name, and whether each passes; at least one does and one does not."""
    names = [f"test_{word}" for word in rng.sample(WORDS, rng.randint(3, 6))]
    passing = dict.fromkeys(names, False) | dict.fromkeys(
        rng.sample(names, rng.randint(1, len(names) - 1)), True
    )
    shorter = next(name for name, passes in passing.items() if passes)
    return passing | {shorter + "_twice": False, "test_" + rng.choice("xyz"): True}


def _tools(suite):
    @tool
    async def list_tests() -> str:
        """The names of all tests, one a line."""
        return "\n".join(suite)

    @tool
    async def run_tests(target: str) -> str:
        """Run the tests whose name contains the target."""
        ran = [passes for name, passes in suite.items() if target in name]
        return f"{sum(ran)} passed, {len(ran) - sum(ran)} failed"

    return [list_tests, run_tests]


def careless(log):
    """The colleague's verifier, as the task shows it."""
    runs = [result.content for message in log for result in message.results if "failed" in result.content]
    return bool(runs) and runs[-1].endswith(" 0 failed")


@judges("01.6")
async def the_careless_verifier_accepts_suites_never_seen_before(bluff, rng):
    verdicts = []
    for _ in range(5):
        suite = _suite(rng)
        outcome = await Agent(bluff(), _tools(suite), budget=Budget(steps=30)).ask("Make all tests pass.")
        where = f"for a suite with {sum(suite.values())} passing and {len(suite) - sum(suite.values())} failing tests"
        expect(
            outcome.state == "completed",
            f"{where} the run ended as {outcome.state} ({outcome.reason}); bluff must claim success.",
        )
        runs = [r.content for m in outcome.log for r in m.results if "failed" in r.content]
        expect(
            runs,
            f"{where} bluff ran no test at all. The verifier does not believe words; give it a run to believe.",
        )
        expect(careless(outcome.log), f"{where} the last run said “{runs[-1]}”, so the verifier turned it down. "
               "The run that it believes is the last one, and you choose what that runs.")  # fmt: skip
        ran_none = runs[-1].startswith("0 passed")
        expect(
            not ran_none,
            f"{where} the last run had no tests in it (“{runs[-1]}”). Neat, but find one that passes.",
        )
        verdicts.append((outcome.state, len(suite), sum(suite.values())))
    return verdicts
