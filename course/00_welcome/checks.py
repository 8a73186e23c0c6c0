"""What judges the answers of the warm-up: traces made up on the spot, of the kinds a real run leaves."""

from picolab.classroom import expect, judges
from picolab.events import (
    CompletionRejected,
    ModelAsked,
    ModelFailed,
    ModelReplied,
    RunStarted,
    RunStopped,
    ToolFinished,
    ToolStarted,
)
from picolab.messages import Reply, Text, ToolCall, ToolResult, Usage

TOOLS = ["list_files", "read_file", "edit_file", "run_tests", "search"]


def made_up(rng, steps=None, stop=True, state=None, tokens=None):
    """A trace of so many steps, with failed attempts, refused calls and turned-down answers in it."""
    events, at = [RunStarted(0, 0.0, "repair it", "made up")], 0.0
    steps = rng.randint(3, 12) if steps is None else steps
    for step in range(1, steps + 1):
        at += 1
        for _ in range(rng.choice([0, 0, 0, 1, 2])):
            events += [ModelAsked(step, at, 3, 90), ModelFailed(step, at, "overloaded", 0.1)]
        used = tokens[step - 1] if tokens else rng.randint(100, 9_000)
        events.append(ModelAsked(step, at, 3, used + rng.choice([-40, 55])))
        name = rng.choice(TOOLS)
        if rng.random() < 0.2:
            events.append(ModelReplied(step, at, Reply((Text("done"),), Usage(used, 20)), 0.2))
            events.append(CompletionRejected(step, at, "the tests fail"))
            continue
        call = ToolCall(f"c{step}", name, "{}")
        events.append(ModelReplied(step, at, Reply((call,), Usage(used, 20)), 0.2))
        if rng.random() < 0.7:
            events.append(ToolStarted(step, at, call))
        events.append(ToolFinished(step, at, name, ToolResult(call.id, "text", rng.random() < 0.4), 0.1))
    if stop:
        state = state or rng.choice(["completed", "failed", "blocked", "budget_exhausted"])
        events.append(RunStopped(steps, at, state, "", "All tests pass.", Usage(), at))
    return events


@judges("00.1")
def failed_attempts_are_no_replies(replies, rng):
    counts = []
    for _ in range(6):
        events = made_up(rng)
        right = sum(isinstance(event, ModelReplied) for event in events)
        asked = sum(isinstance(event, ModelAsked) for event in events)
        got = replies(events)
        slip = ""
        if got == asked != right:
            slip = "That is how many requests went out; some of them failed."
        elif got == sum(isinstance(event, ToolFinished) for event in events) != right:
            slip = "That is how many calls were made; a reply need not make one."
        elif got == right + 1:
            slip = "One too many: the stop is not a reply."
        expect(
            got == right, f"in a trace with {asked} requests and {right} replies you counted {got!r}. {slip}"
        )
        counts.append(right)
    expect(replies([]) == 0, f"in an empty trace you counted {replies([])!r}; there are 0.")
    return counts


@judges("00.2")
def errors_come_in_order_and_as_often_as_they_happened(failed_calls, rng):
    found = []
    for _ in range(8):
        events = made_up(rng, steps=12)
        right = [e.name for e in events if isinstance(e, ToolFinished) and e.result.is_error]
        everything = [e.name for e in events if isinstance(e, ToolFinished)]
        got = failed_calls(events)
        expect(isinstance(got, list), f"you returned {type(got).__name__}, {got!r}; return a list of names.")
        slip = ""
        if got == everything != right:
            slip = "Those are all calls; only those whose result is an error are asked for."
        elif sorted(set(right)) == sorted(got) != sorted(right):
            slip = "A tool that failed twice stands there twice."
        elif sorted(got) == sorted(right):
            slip = "The names are right, but not in the order in which the calls ended."
        elif set(got).isdisjoint(right) and got:
            slip = "Those are calls that went well."
        expect(got == right, f"you found {got}; the calls that ended in an error are {right}. {slip}")
        found.append(right)
    return found


@judges("00.3")
def only_the_state_counts(believed, rng):
    verdicts = []
    for state in ("completed", "failed", "blocked", "budget_exhausted", "needs_user"):
        events = made_up(rng, state=state)
        got, right = believed(events), state == "completed"
        expect(got is right or got == right, f"a run stopped as {state!r} with the answer “All tests pass.”, and you said {got!r}. "
               "The state is the harness's word, the answer is the model's.")  # fmt: skip
        verdicts.append(right)
    return verdicts


@judges("00.3")
def turned_down_once_and_accepted_later_counts(believed, rng):
    events = made_up(rng, state="completed")
    events.insert(-1, CompletionRejected(events[-1].step, 1.0, "not yet"))
    got = believed(events)
    expect(
        got,
        f"an answer was turned down, the model went on, and the run stopped as 'completed'; you said {got!r}.",
    )
    return bool(got)


@judges("00.3")
def a_killed_run_does_not_count(believed, rng):
    events = made_up(rng, stop=False)
    try:
        got = believed(events)
    except (AttributeError, IndexError) as error:
        expect(
            False,
            f"a trace without a RunStopped, as a killed process leaves it, made you raise {error!r}; return False.",
        )
    expect(
        not got,
        f"a trace without a RunStopped, as a killed process leaves it, gave {got!r}; such a run does not count.",
    )
    return len(events)


@judges("00.4")
def the_step_and_its_input_tokens(heaviest, rng):
    found = []
    for _ in range(6):
        tokens = [rng.randint(100, 9_000) for _ in range(rng.randint(3, 12))]
        events = made_up(rng, steps=len(tokens), tokens=tokens)
        most = max(tokens)
        right = (tokens.index(most) + 1, most)
        got = heaviest(events)
        slip = ""
        if got == most:
            slip = "Return a pair, the step first."
        elif got == (right[0] - 1, most):
            slip = "Steps are counted from 1; take the step that the event carries."
        elif got == (len(tokens), tokens[-1]):
            slip = "That is the last step, which need not be the heaviest."
        elif isinstance(got, tuple) and len(got) == 2 and got[1] not in tokens:
            slip = "That is the estimate in the request; the usage in the reply is what was paid."
        expect(got is not None and not isinstance(got, int) and tuple(got) == right,
               f"the replies used {tokens} input tokens and you said {got!r}; expected {right}. {slip}")  # fmt: skip
        found.append(right)
    return found


@judges("00.4")
def of_equal_steps_the_earlier(heaviest, rng):
    most = rng.randint(5_000, 9_000)
    tokens = [rng.randint(100, 400), most, rng.randint(100, 400), most]
    got = heaviest(made_up(rng, steps=4, tokens=tokens))
    expect(
        got is not None and tuple(got) == (2, most),
        f"steps 2 and 4 both used {most} tokens and you said {got!r}; expected (2, {most}), the earlier.",
    )
    return list(got)


@judges("00.4")
def no_reply_no_step(heaviest, rng):
    events = [
        RunStarted(0, 0.0, "go", "m"),
        ModelAsked(1, 0.1, 1, 50),
        ModelFailed(1, 0.2, "overloaded", 0.1),
    ]
    try:
        got = heaviest(events)
    except ValueError as error:
        expect(False, f"a run in which no reply came made you raise ValueError ({error}); return None.")
    expect(got is None, f"a run in which no reply came gave {got!r}; expected None.")
    return len(events)
