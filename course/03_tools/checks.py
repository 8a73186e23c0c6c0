"""What judges the answers of the tools exercises."""

import asyncio
import dataclasses
import json
import math
import re
from contextlib import suppress
from typing import Literal

from jsonschema import Draft202012Validator

from picolab.classroom import expect, judges
from picolab.messages import ToolCall, ToolResult

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
    "kelp",
    "lark",
    "moss",
]


# 03.1 ---------------------------------------------------------------------------------------------------------------


@judges("03.1")
def refusals_and_the_call_that_passes(calls_needed, rng):
    cases = [(0, 1), (3, 1), (3, 3), (4, 3), (rng.randint(5, 30), rng.randint(2, 4)), (2, rng.randint(5, 9))]
    found = []
    for mistakes, told in cases:
        got, right = calls_needed(mistakes, told), 1 + -(-mistakes // told)
        slip = {
            right - 1: "The call that is accepted counts too.",
            1 + mistakes: f"Each refusal names up to {told} mistakes, not one.",
            1 + mistakes // told: "The last refusal may name fewer; it is a refusal all the same.",
        }.get(got, "Count the refusals, then the call that passes.")
        expect(
            got == right,
            f"for mistakes={mistakes}, told={told} you returned {got!r}; it takes {right}. {slip}",
        )
        found.append(right)
    return found


# 03.2 ---------------------------------------------------------------------------------------------------------------


def _refusal(read, text, why):
    """The words with which a text is refused; anything else is a failure with a name."""
    try:
        got = read(text)
    except ValueError as error:
        return str(error)
    except Exception as error:
        expect(
            False,
            f"{text!r} raised {type(error).__name__} ({error}); raise ValueError, so that one except is enough.",
        )
    expect(False, f"{text!r} was read as {got!r}. {why}")


@judges("03.2")
def what_is_right_comes_through(read_strictly, rng):
    a, b = rng.sample(WORDS, 2)
    n = rng.randint(100, 999)
    good = [
        {a: n, b: [n / 8, None, True, {a: "x"}]},
        [{a: 1}, {a: 2}],
        {a: {a: {a: n}}},
        {a: "NaN", b: "Infinity and 1e309"},
        {a: f'"{b}": 1, "{b}": 2'},
        {a: [1e308, -1e-320, 0.1, 10**40]},
        a,
        n,
        None,
    ]
    for value in good:
        text = json.dumps(value)
        try:
            got = read_strictly(text)
        except Exception as error:
            expect(False, f"{text} was refused ({type(error).__name__}: {error}), and nothing is wrong with it: "
                   "a key may come again in another object, and any words may stand in a string.")  # fmt: skip
        expect(got == value and type(got) is type(value), f"{text} was read as {got!r}; it says {value!r}.")
    return n


@judges("03.2")
def a_key_that_stands_twice_is_refused_by_name(read_strictly, rng):
    key, other = rng.sample(WORDS, 2)
    escaped = f"\\u{ord(key[0]):04x}" + key[1:]
    why = f"The key {key!r} stands twice in one object."
    for text in (
        f'{{"{key}": 1, "{key}": 2}}',
        f'{{"{key}": 1, "{other}": 3, "{key}": 1}}',
        f'[{{"{other}": {{"{key}": 1, "{key}": null}}}}]',
        f'{{"{key}": 1, "{escaped}": 2}}',
    ):
        words = _refusal(read_strictly, text, why)
        expect(
            key in words,
            f"{text} was refused with {words!r}; name the key, {key!r}, so that the model can mend it.",
        )
    return key


@judges("03.2")
def numbers_that_json_does_not_have_are_refused(read_strictly, rng):
    key = rng.choice(WORDS)
    for word in ("NaN", "Infinity", "-Infinity"):
        _refusal(read_strictly, f'{{"{key}": [{word}]}}', f"{word} is not JSON; parse_constant sees it.")
    for digits in ("1e309", f"-{rng.randint(2, 9)}e400", "17" + "0" * 400 + ".5"):
        _refusal(
            read_strictly,
            f'{{"{key}": {digits}}}',
            f"{digits[:12]} is larger than any float; parse_float sees it.",
        )
    return key


@judges("03.2")
def what_is_not_json_is_refused(read_strictly, rng):
    key = rng.choice(WORDS)
    for text in ("", f"{{'{key}': 1}}", f'{{"{key}": 1', f'{{"{key}": 1}} x', f'{{"{key}": 01}}'):
        _refusal(read_strictly, text, "That is not JSON.")
    return key


# 03.3 ---------------------------------------------------------------------------------------------------------------

GREEK = "αβγδεζηθικλμνξοπρστυφχψω"
"""Letters that no note has, so that what is kept can be told from what is said about it."""


def _greek(rng, length):
    return "".join(rng.choices(GREEK, k=length))


@judges("03.3")
def short_texts_stay_as_they_are(truncate, rng):
    for length, limit in ((0, 0), (0, 10), (rng.randint(5, 50), 50), (rng.randint(60, 99),) * 2):
        text = _greek(rng, length)
        got = truncate(text, limit)
        expect(
            got == text,
            f"a text of {length} characters under a limit of {limit} came back as {len(got)}: {got[:60]!r}. It fits; leave it alone.",
        )
    return length


@judges("03.3")
def it_is_never_longer_than_the_limit(truncate, rng):
    text = _greek(rng, rng.randint(900, 9000))
    for limit in [*range(0, 80), 99, 100, 101, 500, len(text) - 1]:
        got = truncate(text, limit)
        expect(isinstance(got, str), f"truncate returned {type(got).__name__}; return text.")
        why = (
            "The note takes room too."
            if limit > 60
            else "Where the note does not fit, leave it out; mind slices with 0 and below."
        )
        expect(
            len(got) <= limit,
            f"a text of {len(text)} characters cut to {limit} came back with {len(got)}. {why}",
        )
    return len(text)


@judges("03.3")
def both_ends_survive(truncate, rng):
    for limit in (200, rng.randint(300, 800)):
        text = _greek(rng, rng.randint(1000, 5000))
        got = truncate(text, limit)
        least = limit // 4
        expect(
            got.startswith(text[:least]),
            f"cut to {limit}, the result does not begin with the first {least} characters of the text. The beginning says what was asked.",
        )
        expect(
            got.endswith(text[-least:]),
            f"cut to {limit}, the result does not end with the last {least} characters of the text. The end says how it came out.",
        )
    return limit


@judges("03.3")
def it_says_exactly_how_much_is_missing(truncate, rng):
    for length in (1000, rng.randint(1001, 90_000)):
        text = _greek(rng, length)
        got = truncate(text, 300)
        kept = sum(letter in GREEK for letter in got)
        numbers = [int(found.replace(",", "").replace("_", "")) for found in re.findall(r"\d[\d,_]*", got)]
        expect(
            numbers,
            f"cut from {length} to 300 characters, the result has no number in it: {_without(got)!r}. Say how much is missing.",
        )
        expect(length - kept in numbers,
               f"of {length} characters {kept} are kept, so {length - kept} are missing, but the note says {_without(got)!r}.")  # fmt: skip
    return length


def _without(text):
    return re.sub(f"[{GREEK}]+", "…", text).strip()


# 03.4 ---------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


@dataclasses.dataclass
class Route:
    points: list[Point]
    name: str | None = None
    tags: list[str] = dataclasses.field(default_factory=list)


def _schema(answer, hint):
    try:
        schema = answer(hint)
    except Exception as error:
        expect(
            False,
            f"schema_of_type({_of(hint)}) raised {type(error).__name__}: {error}. This type has a schema.",
        )
    expect(isinstance(schema, dict), f"schema_of_type({_of(hint)}) returned {schema!r}; return a dict.")
    try:
        Draft202012Validator.check_schema(schema)
    except Exception as error:
        expect(False, f"schema_of_type({_of(hint)}) is not JSON Schema: {str(error).splitlines()[0]}")
    return schema


def _of(hint):
    return (
        hint.__name__
        if isinstance(hint, type) and not hasattr(hint, "__args__")
        else repr(hint).replace("typing.", "")
    )


def _fits(answer, hint, fitting, others):
    schema = _schema(answer, hint)
    valid = Draft202012Validator(schema)
    for value in fitting:
        expect(
            valid.is_valid(value),
            f"the schema of {_of(hint)} refuses {json.dumps(value)}, which fits. It is {json.dumps(schema)}.",
        )
    for value, why in others:
        expect(
            not valid.is_valid(value),
            f"the schema of {_of(hint)} takes {json.dumps(value)}. {why} It is {json.dumps(schema)}.",
        )
    return len(fitting)


@judges("03.4")
def simple_types(schema_of_type, rng):
    n = rng.randint(2, 99)
    _fits(
        schema_of_type,
        int,
        [n, -n],
        [(True, "true is no integer."), (str(n), "Text is no integer."), (None, "null is none.")],
    )
    _fits(schema_of_type, bool, [True, False], [(1, "1 is no boolean."), (0, "0 is no boolean.")])
    _fits(schema_of_type, float, [n, n / 8], [("1", "Text is no number."), (True, "true is no number.")])
    _fits(schema_of_type, str, ["", "x"], [(n, "A number is no text.")])
    return _fits(schema_of_type, type(None), [None], [(0, "0 is not null.")])


@judges("03.4")
def lists_and_objects_say_of_what(schema_of_type, rng):
    n = rng.randint(2, 99)
    _fits(
        schema_of_type,
        list[int],
        [[], [n, n]],
        [(["x"], "An item is text."), ([n, None], "An item is null."), (n, "It is no list.")],
    )
    _fits(schema_of_type, list[list[str]], [[], [["x"]]], [(["x"], "The items have to be lists.")])
    return _fits(
        schema_of_type,
        dict[str, bool],
        [{}, {"a": True}],
        [({"a": n}, "A value is a number."), ([], "It is no object.")],
    )


@judges("03.4")
def choices_and_unions(schema_of_type, rng):
    a, b, c = rng.sample(WORDS, 3)
    _fits(
        schema_of_type,
        Literal[a, b],
        [a, b],
        [(c, f"Only {a} and {b} are allowed."), (None, "null is not among them.")],
    )
    _fits(schema_of_type, int | None, [3, None], [("3", "Text is neither."), (True, "true is neither.")])
    return _fits(
        schema_of_type,
        list[int] | str,
        [[1], "x"],
        [(["x"], "An item is text."), (1, "A number is neither.")],
    )


@judges("03.4")
def a_dataclass_is_a_closed_object(schema_of_type, rng):
    n = rng.randint(2, 99)
    _fits(schema_of_type, Point, [{"x": n}, {"x": n, "y": n}], [
        ({"y": n}, "x has no default, so it must be there."),
        ({"x": "1"}, "x is text."),
        ({"x": n, "z": n}, "There is no field z: close the object."),
    ])  # fmt: skip
    return _fits(schema_of_type, Route, [{"points": []}, {"points": [{"x": n}], "name": None, "tags": ["a"]}], [
        ({}, "points has no default, so it must be there."),
        ({"points": [{"y": 1}]}, "A point lacks x."),
        ({"points": [], "tags": [n]}, "A tag is a number."),
        ({"points": [], "name": n}, "name is a number."),
    ])  # fmt: skip


@judges("03.4")
def what_json_cannot_carry_is_refused(schema_of_type, rng):
    for hint in (bytes, set[int], object, complex, list[bytes], dict[int, str]):
        try:
            got = schema_of_type(hint)
        except TypeError:
            continue
        except Exception as error:
            expect(
                False,
                f"schema_of_type({_of(hint)}) raised {type(error).__name__}; raise TypeError, and say which type.",
            )
        expect(
            False, f"schema_of_type({_of(hint)}) returned {got!r}. JSON cannot carry that: raise TypeError."
        )
    return rng.random()


# 03.5 ---------------------------------------------------------------------------------------------------------------

TOKENS = [
    "<end>",
    "",
    "r",
    "re",
    "read",
    "ad",
    "a",
    "d",
    "er",
    "reader",
    "w",
    "write",
    "writer",
    "rite",
    "te",
    "list",
    "ing",
    "s",
    "x",
]


def _vocabulary(rng):
    tokens = [*TOKENS, *rng.sample(WORDS, 3)]
    rng.shuffle(tokens)
    return tokens


def _mask(allowed, tokens, words, prefix):
    got = allowed(list(tokens), list(words), prefix)
    expect(
        isinstance(got, set | frozenset | list | tuple),
        f"allowed returned {type(got).__name__}; return the set of token numbers.",
    )
    expect(
        all(type(n) is int and 0 <= n < len(tokens) for n in got),
        f"allowed returned {list(got)[:6]}; return token numbers, their positions in the list.",
    )
    return set(got)


def _judge_mask(allowed, tokens, words, prefix):
    got = _mask(allowed, tokens, words, prefix)
    for number, token in enumerate(tokens):
        where = f"words {words}, written so far {prefix!r}: the token {token!r}"
        if token == "<end>":
            may, why = prefix in words, f"{prefix!r} is {'' if prefix in words else 'not '}a whole word."
        elif not token:
            may, why = False, "An empty token changes nothing, for ever."
        else:
            may = any(word.startswith(prefix + token) for word in words)
            why = f"{prefix + token!r} begins {'one of them' if may else 'none of them'}."
        expect((number in got) == may, f"{where} must {'' if may else 'not '}be allowed. {why}")
    return sorted(tokens[n] for n in got)


@judges("03.5")
def at_the_beginning(allowed, rng):
    return _judge_mask(allowed, _vocabulary(rng), ["read", "write", *rng.sample(WORDS, 2)], "")


@judges("03.5")
def in_the_middle(allowed, rng):
    words = ["reader", "read", "rest", "writer"]
    rng.shuffle(words)
    return [_judge_mask(allowed, _vocabulary(rng), words, prefix) for prefix in ("r", "re", "rea", "w")]


@judges("03.5")
def at_the_end_of_a_word(allowed, rng):
    words = ["read", "reader", "list"]
    rng.shuffle(words)
    return [_judge_mask(allowed, _vocabulary(rng), words, prefix) for prefix in ("read", "reader", "list")]


@judges("03.5")
def outside_of_every_word(allowed, rng):
    return _judge_mask(allowed, _vocabulary(rng), ["read", "list"], rng.choice(["x", "reads", "lost"]))


# 03.6 ---------------------------------------------------------------------------------------------------------------


def _wanted(*asked):
    return [ToolCall(f"c{n}", name, json.dumps(arguments)) for n, (name, arguments) in enumerate(asked)]


async def _run(run_together, calls, tools, seconds, guard=3.0):
    """The results, held to their form."""
    try:
        async with asyncio.timeout(guard) as limit:
            got = await run_together(calls, tools, seconds)
    except TimeoutError:
        expect(
            limit.expired() is False,
            f"run_together did not come back within {guard:g} seconds, with seconds={seconds}. A tool that waits for ever has to be stopped, and calls that wait for each other have to run at the same time.",
        )
        expect(False, "run_together let TimeoutError escape; a time-out is a result with is_error=True.")
    except Exception as error:
        expect(
            False,
            f"run_together let {type(error).__name__} escape ({error}); one tool that fails gives an error result, and costs the others nothing.",
        )
    expect(
        isinstance(got, list | tuple),
        f"run_together returned {type(got).__name__}; return a list of ToolResult.",
    )
    expect(len(got) == len(calls), f"{len(calls)} calls gave {len(got)} results; every call gets one.")
    for each in got:
        expect(isinstance(each, ToolResult), f"one result is {each!r}; every one is a ToolResult.")
    return list(got)


async def _in_order(run_together, calls, tools, seconds):
    got = await _run(run_together, calls, tools, seconds)
    ids = [each.call_id for each in got]
    expect(
        ids == [each.id for each in calls],
        f"the results belong to {ids}; the calls were {[each.id for each in calls]}. Keep the order of the calls, whoever is done first.",
    )
    return got


@judges("03.6")
async def results_come_in_the_order_of_the_calls(run_together, rng):
    turn, order = asyncio.Condition(), []
    words = rng.sample(WORDS, 4)

    async def say(word, after):
        async with turn:
            await turn.wait_for(lambda: len(order) == after)
            order.append(word)
            turn.notify_all()
        return word

    calls = _wanted(*[("say", {"word": word, "after": 3 - n}) for n, word in enumerate(words)])
    got = await _in_order(run_together, calls, {"say": say}, 2.0)
    expect(
        [each.content for each in got] == words,
        f"the tools returned {words} for the calls in order, the results say {[each.content for each in got]}.",
    )
    expect(
        not any(each.is_error for each in got),
        f"every call succeeded, but one result is marked as an error: {got}.",
    )
    return words


@judges("03.6")
async def they_run_at_the_same_time(run_together, rng):
    parties = rng.randint(3, 6)
    met = asyncio.Barrier(parties)

    async def meet():
        await met.wait()
        return "met"

    got = await _in_order(run_together, _wanted(*[("meet", {})] * parties), {"meet": meet}, 0.5)
    expect(
        not any(each.is_error for each in got),
        f"{parties} calls each wait until all have begun, and it ended in {got[0].content!r}. They have to run at the same time, not one after the other.",
    )
    return parties


@judges("03.6")
async def a_tool_that_raises_costs_the_others_nothing(run_together, rng):
    word = rng.choice(WORDS)

    async def good():
        await asyncio.sleep(0.01)
        return word

    async def bad():
        raise rng.choice([KeyError, OSError, ValueError])(word)

    got = await _in_order(
        run_together,
        _wanted(("good", {}), ("bad", {}), ("gone", {}), ("good", {})),
        {"good": good, "bad": bad},
        1.0,
    )
    expect(
        [each.is_error for each in got] == [False, True, True, False],
        f"of good, bad, a tool that is not there, good: is_error is {[each.is_error for each in got]}; only the second and third are errors.",
    )
    expect(
        [got[0].content, got[3].content] == [word, word],
        f"the good ones returned {word!r}, the results say {got[0].content!r} and {got[3].content!r}.",
    )
    expect(got[1].content.strip(), "the error of the tool that raised says nothing. Say what happened.")
    return word


def _waiter(log):
    async def wait(name):
        log.append(f"{name} began")
        try:
            await asyncio.Event().wait()
        finally:
            log.append(f"{name} ended")

    return wait


@judges("03.6")
async def a_tool_that_hangs_is_stopped_and_no_other(run_together, rng):
    log, word = [], rng.choice(WORDS)

    async def good():
        return word

    calls = _wanted(("wait", {"name": "one"}), ("good", {}), ("wait", {"name": "two"}))
    got = await _in_order(run_together, calls, {"wait": _waiter(log), "good": good}, 0.1)
    expect(
        [each.is_error for each in got] == [True, False, True],
        f"of a call that hangs, a good one, one that hangs: is_error is {[each.is_error for each in got]}.",
    )
    expect(
        sorted(log)[1::2] == ["one ended", "two ended"],
        f"run_together came back, and a tool still runs: {sorted(log)}. A time-out has to cancel the call, and wait for it to end.",
    )
    expect(got[1].content == word, f"the good one returned {word!r}, the result says {got[1].content!r}.")
    return word


@judges("03.6")
async def a_cancellation_passes_and_takes_everything_along(run_together, rng):
    log, n = [], rng.randint(2, 4)
    calls = _wanted(*[("wait", {"name": f"tool {i}"}) for i in range(n)])
    job = asyncio.ensure_future(run_together(calls, {"wait": _waiter(log)}, 30.0))
    for _ in range(20):
        await asyncio.sleep(0)
    expect(
        sum("began" in each for each in log) == n,
        f"of {n} calls {len(log)} have begun. They run at the same time.",
    )
    job.cancel()
    with suppress(asyncio.CancelledError):
        async with asyncio.timeout(2):
            await asyncio.wait([job])
    expect(
        job.cancelled(),
        "run_together was cancelled, and did not pass the cancellation on. It is meant for you, not for the model.",
    )
    expect(
        sum("ended" in each for each in log) == n,
        f"run_together was cancelled, and left tools running: {sorted(log)}.",
    )
    return n


# 03.7 ---------------------------------------------------------------------------------------------------------------


def looked_at(text):
    """The colleague's guard, as the task shows it."""
    found = re.findall(r'"path"\s*:\s*"([^"]*)"', text)
    return found[0] if len(found) == 1 else None


@judges("03.7")
def the_guard_sees_one_path_and_the_tool_opens_another(two_faced, rng):
    pairs = []
    for _ in range(4):
        seen, done = (f"{word}.txt" for word in rng.sample(WORDS, 2))
        text = two_faced(seen, done)
        expect(
            isinstance(text, str),
            f"two_faced({seen!r}, {done!r}) returned {type(text).__name__}; return JSON text.",
        )
        try:
            opened = json.loads(text)["path"]
        except Exception as error:
            expect(
                False,
                f"{text!r} cannot be opened: {type(error).__name__}: {error}. It has to be valid JSON, one object with a path.",
            )
        expect(
            opened == done,
            f"{text!r} opens {opened!r}, not {done!r}. Of two equal keys json.loads keeps the last.",
        )
        found = re.findall(r'"path"\s*:\s*"([^"]*)"', text)
        expect(
            len(found) == 1,
            f"in {text!r} the guard finds {len(found)} paths, {found}, so it turns the call down. It must find exactly one.",
        )
        expect(
            looked_at(text) == seen,
            f"in {text!r} the guard sees {looked_at(text)!r}, not {seen!r}, so it is not fooled.",
        )
        pairs.append((seen, done))
    return pairs
