"""What judges the answers of the exercises on wire formats."""

import json

from jiter import from_json

from picolab.classroom import expect, judges
from picolab.messages import Message, Text, ToolCall, ToolResult, results, system, user

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


def _same(got, right, where, why):
    expect(
        got == right,
        f"{where}: you returned {json.dumps(got, default=repr)[:300]}; expected {json.dumps(right)[:300]}. {why}",
    )


# 02.1 ---------------------------------------------------------------------------------------------------------------


@judges("02.1")
def anthropic_counts_the_cached_ones_beside_the_input(tokens_read, rng):
    new, read, write = rng.randint(1, 900), rng.randint(1000, 9000), rng.randint(1, 500)
    found = []
    for usage, right in (
        ({"input_tokens": new, "output_tokens": 7}, new),
        (
            {"input_tokens": new, "cache_read_input_tokens": read, "cache_creation_input_tokens": write},
            new + read + write,
        ),
        ({"input_tokens": 0, "cache_read_input_tokens": read, "cache_creation_input_tokens": 0}, read),
        (
            {"input_tokens": new, "cache_read_input_tokens": None, "cache_creation_input_tokens": write},
            new + write,
        ),
    ):
        got = tokens_read(dict(usage))
        why = "Anthropic's input_tokens leaves out what was read from the cache and what was written to it."
        expect(got == right, f"for {usage} you returned {got!r}; {right} tokens were read. {why}")
        found.append(got)
    return found


@judges("02.1")
def openai_counts_them_inside(tokens_read, rng):
    whole, cached = rng.randint(5000, 9000), rng.randint(1, 4000)
    found = []
    for usage in (
        {"prompt_tokens": whole, "completion_tokens": 7},
        {"prompt_tokens": whole, "prompt_tokens_details": {"cached_tokens": cached}},
        {"prompt_tokens": whole, "prompt_tokens_details": None},
        {"prompt_tokens": whole, "prompt_tokens_details": {"cached_tokens": None}},
    ):
        got = tokens_read(dict(usage))
        why = "OpenAI's prompt_tokens already holds the cached ones."
        expect(got == whole, f"for {usage} you returned {got!r}; {whole} tokens were read. {why}")
        found.append(got)
    return found


# 02.2 and 02.3 ------------------------------------------------------------------------------------------------------


def _history(rng):
    words = rng.sample(WORDS, 6)
    asked = [
        ToolCall(f"id{rng.randint(1, 9)}.{n}", "size", json.dumps({"path": f"{w}.log"}))
        for n, w in enumerate(words[:3])
    ]
    given = [
        ToolResult(asked[0].id, "12"),
        ToolResult(asked[1].id, f"no file {words[1]}", True),
        ToolResult(asked[2].id, "0"),
    ]
    return [
        system(f"Answer in {words[3]}."),
        user(f"How big is {words[4]}?"),
        Message("assistant", (Text("Let me look."), *asked)),
        results(given),
        Message("assistant", (Text(f"12 {words[5]}"),)),
        user("Sure?"),
    ]


def _answer(write, history):
    try:
        return write(list(history))
    except Exception as error:
        expect(
            False,
            f"for a history of {len(history)} messages your function raised {type(error).__name__}: {error}",
        )


@judges("02.2")
def one_message_each_and_the_roles_alternate(anthropic_messages, rng):
    history = _history(rng)
    got = _answer(anthropic_messages, history)
    expect(
        isinstance(got, list), f"anthropic_messages returned {type(got).__name__}; return a list of messages."
    )
    roles = [message.get("role") for message in got]
    expect(
        "system" not in roles,
        f"the roles are {roles}. The system text travels beside the messages, not among them.",
    )
    expect(roles == ["user", "assistant", "user", "assistant", "user"],
           f"the roles are {roles}; expected one message for each of the five that are left. All results of a turn are one user message, and all parts of a reply one assistant message.")  # fmt: skip
    return [len(message["content"]) for message in got] + [history[1].text]


@judges("02.2")
def calls_are_objects(anthropic_messages, rng):
    history = _history(rng)
    got = [
        block
        for message in _answer(anthropic_messages, history)
        for block in message["content"]
        if block.get("type") == "tool_use"
    ]
    right = [
        {"type": "tool_use", "id": each.id, "name": each.name, "input": json.loads(each.arguments)}
        for each in history[2].calls
    ]
    for mine, theirs in zip(got, right, strict=False):
        expect(
            not isinstance(mine.get("input"), str),
            f"the input of a call is the text {mine.get('input')!r}. Anthropic takes an object.",
        )
        _same(mine, theirs, "a call", "Keep its id and its name.")
    expect(len(got) == len(right), f"the reply has {len(right)} calls, the wire {len(got)}.")
    return right


@judges("02.2")
def results_say_whether_they_are_errors(anthropic_messages, rng):
    history = _history(rng)
    got = [
        block
        for message in _answer(anthropic_messages, history)
        for block in message["content"]
        if block.get("type") == "tool_result"
    ]
    right = [
        {"type": "tool_result", "tool_use_id": r.call_id, "content": r.content, "is_error": r.is_error}
        for r in history[3].results
    ]
    for mine, theirs in zip(got, right, strict=False):
        expect(
            mine.get("is_error", False) == theirs["is_error"],
            f"the result {theirs['content']!r} has is_error={mine.get('is_error')}; it should be {theirs['is_error']}. A model takes an unmarked error for data.",
        )
        _same(
            mine | {"is_error": theirs["is_error"]}, theirs, "a result", "It belongs to a call: tool_use_id."
        )
    expect(len(got) == len(right), f"the turn has {len(right)} results, the wire {len(got)}.")
    return right


@judges("02.2")
def words_are_kept(anthropic_messages, rng):
    history = _history(rng)
    got = [
        block["text"]
        for message in _answer(anthropic_messages, history)
        for block in message["content"]
        if block.get("type") == "text"
    ]
    right = [part.text for message in history[1:] for part in message.parts if isinstance(part, Text)]
    _same(got, right, "the words", "Every text is a block, in its place.")
    return got


@judges("02.3")
def every_result_is_a_message(chat_messages, rng):
    history = _history(rng)
    got = _answer(chat_messages, history)
    roles = [message.get("role") for message in got]
    expect(roles == ["system", "user", "assistant", "tool", "tool", "tool", "assistant", "user"],
           f"the roles are {roles}; expected system, user, assistant, then one tool message for each of the three results, assistant, user.")  # fmt: skip
    ids = [message.get("tool_call_id") for message in got if message["role"] == "tool"]
    _same(
        ids,
        [r.call_id for r in history[3].results],
        "tool_call_id of the results",
        "Each names the call it answers.",
    )
    return ids


@judges("02.3")
def arguments_stay_text(chat_messages, rng):
    history = _history(rng)
    odd = ToolCall("odd", "size", '{"path":  "a.log' + rng.choice(WORDS))
    history[2] = Message("assistant", (*history[2].parts, odd))
    history[3] = results([*history[3].results, ToolResult("odd", "not JSON", True)])
    got = _answer(chat_messages, history)[2]
    right = [
        {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
        for c in history[2].calls
    ]
    for mine, theirs in zip(got.get("tool_calls") or [], right, strict=False):
        arguments = mine.get("function", {}).get("arguments")
        expect(
            isinstance(arguments, str),
            f"the arguments of a call are {arguments!r}, a {type(arguments).__name__}. This wire takes the text.",
        )
        expect(
            arguments == theirs["function"]["arguments"],
            f"the model wrote {theirs['function']['arguments']!r}, and the wire has {arguments!r}. Send it as it was, broken or not.",
        )
        _same(
            mine,
            theirs,
            "a call",
            "It has an id, the type “function”, and a function with a name and arguments.",
        )
    expect(
        len(got.get("tool_calls") or []) == len(right),
        f"the reply has {len(right)} calls, the wire {len(got.get('tool_calls') or [])}.",
    )
    expect(
        got.get("content") == "Let me look.",
        f"the words of a reply with calls are {got.get('content')!r}; they stay its content.",
    )
    return right


@judges("02.3")
def errors_say_so_in_their_text(chat_messages, rng):
    history = _history(rng)
    got = [message["content"] for message in _answer(chat_messages, history) if message.get("role") == "tool"]
    right = [("ERROR: " if r.is_error else "") + r.content for r in history[3].results]
    _same(got, right, "the results", "An error begins with “ERROR: ”, and only an error does.")
    return got


@judges("02.3")
def a_message_without_calls_has_no_tool_calls(chat_messages, rng):
    history = _history(rng)
    got = _answer(chat_messages, history)
    for message in got:
        if message["role"] in ("system", "user") or message.get("content") == history[4].text:
            expect(
                "tool_calls" not in message,
                f"{message} has tool_calls without a call; the API refuses an empty list.",
            )
    texts = [message["content"] for message in got if message["role"] in ("system", "user")]
    _same(
        texts,
        [history[0].text, history[1].text, history[5].text],
        "the words",
        "The system text is a message here.",
    )
    return texts


# 02.4 ---------------------------------------------------------------------------------------------------------------


def _cut(rng, text):
    pieces = []
    while text:
        n = rng.randint(1, 5)
        pieces.append(text[:n])
        text = text[n:]
    return pieces


def _start(index, **block):
    return {"type": "content_block_start", "index": index, "content_block": block}


def _delta(index, piece, text=False):
    delta = (
        {"type": "text_delta", "text": piece} if text else {"type": "input_json_delta", "partial_json": piece}
    )
    return {"type": "content_block_delta", "index": index, "delta": delta}


def _end(stop="tool_use"):
    return [
        {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 9}},
        {"type": "message_stop"},
    ]


HEAD = [
    {"type": "message_start", "message": {"usage": {"input_tokens": 5, "output_tokens": 1}}},
    {"type": "ping"},
]


def _gathered(gather, events):
    try:
        got = gather(list(events))
    except Exception as error:
        expect(
            False,
            f"a complete stream of {len(events)} events raised {type(error).__name__}: {error}. Types that are not in the table are passed over.",
        )
    expect(isinstance(got, tuple | list) and len(got) == 2, f"gather returned {got!r}; return (parts, stop).")
    return list(got[0]), got[1]


@judges("02.4")
def text_and_a_call(gather, rng):
    words, path = " ".join(rng.sample(WORDS, 4)), rng.choice(WORDS)
    arguments = json.dumps({"path": path, "lines": [rng.randint(1, 9), 2]})
    events = [
        *HEAD,
        _start(0, type="text", text=""),
        *(_delta(0, piece, True) for piece in _cut(rng, words)),
        {"type": "content_block_stop", "index": 0},
        _start(1, type="tool_use", id="t1", name="read", input={}),
        *(_delta(1, piece) for piece in _cut(rng, arguments)),
        {"type": "content_block_stop", "index": 1},
        *_end(),
    ]
    parts, stop = _gathered(gather, events)
    right = [Text(words), ToolCall("t1", "read", arguments)]
    for mine, theirs in zip(parts, right, strict=False):
        expect(
            mine == theirs,
            f"one block came out as {mine!r}; in pieces it said {theirs!r}. Join the pieces, in order, and parse nothing.",
        )
    expect(len(parts) == 2, f"a text and a call came out as {len(parts)} parts: {parts!r}.")
    expect(stop == "tool_use", f"the stop reason is {stop!r}; message_delta says 'tool_use'.")
    return [words, arguments]


@judges("02.4")
def two_calls_whose_pieces_alternate(gather, rng):
    texts = [json.dumps({"path": rng.choice(WORDS) * 3}) for _ in range(2)]
    queues = [[_delta(index, piece) for piece in _cut(rng, text)] for index, text in enumerate(texts)]
    mixed = []
    while any(queues):
        mixed.append(rng.choice([queue for queue in queues if queue]).pop(0))
    starts = [
        _start(1, type="tool_use", id="t1", name="b", input={}),
        _start(0, type="tool_use", id="t0", name="a", input={}),
    ]
    parts, _ = _gathered(gather, [*HEAD, *starts, *mixed, *_end()])
    right = [ToolCall("t0", "a", texts[0]), ToolCall("t1", "b", texts[1])]
    expect(
        [getattr(part, "id", None) for part in parts] == ["t0", "t1"],
        f"the blocks with index 0 and 1 came out in the order {[getattr(p, 'id', None) for p in parts]}; sort by index.",
    )
    expect(
        parts == right,
        f"pieces of two calls alternated, and came out as {parts!r}; expected {right!r}. The index says which block a piece belongs to.",
    )
    return texts


@judges("02.4")
def a_call_without_pieces_and_types_never_heard_of(gather, rng):
    name, stop = rng.choice(WORDS), rng.choice(["max_tokens", "end_turn"])
    odd = {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "x"}}
    events = [
        *HEAD,
        {"type": "something_new", "data": 1},
        _start(0, type="tool_use", id="t", name=name, input={}),
        odd,
        *_end(stop),
    ]
    parts, got = _gathered(gather, events)
    expect(
        parts == [ToolCall("t", name, "{}")],
        f"a call for which no piece came is {parts!r}; its arguments are the text '{{}}'.",
    )
    expect(got == stop, f"the stop reason is {got!r}; message_delta says {stop!r}.")
    return name


@judges("02.4")
def a_cut_off_call_stays_as_it_was_written(gather, rng):
    half = json.dumps({"keep": rng.sample(WORDS, 3)})[: -rng.randint(3, 9)]
    events = [
        *HEAD,
        _start(0, type="tool_use", id="t", name="clean", input={}),
        *(_delta(0, p) for p in _cut(rng, half)),
        *_end("max_tokens"),
    ]
    parts, _ = _gathered(gather, events)
    arguments = getattr(parts[0], "arguments", None) if parts else None
    expect(
        arguments == half,
        f"the model wrote {half!r} and was cut off at its limit; the call came out with the arguments {arguments!r}. Change nothing: the next layer refuses it.",
    )
    return half


@judges("02.4")
def a_stream_without_its_end_is_no_reply(gather, rng):
    words = rng.choice(WORDS)
    whole = [
        *HEAD,
        _start(0, type="text", text=""),
        *(_delta(0, p, True) for p in _cut(rng, words)),
        *_end("end_turn"),
    ]
    for length in (0, 3, len(whole) - 1):
        try:
            got = gather(whole[:length])
        except ConnectionError:
            continue
        except Exception as error:
            expect(
                False,
                f"a stream cut after {length} of {len(whole)} events raised {type(error).__name__}; raise ConnectionError, which may be tried again.",
            )
        expect(
            False,
            f"a stream cut after {length} of {len(whole)} events gave {got!r}. Without message_stop nobody knows what is missing: raise ConnectionError.",
        )
    return words


# 02.5 ---------------------------------------------------------------------------------------------------------------


def _waits(wait_before, cases):
    found = []
    for attempt, status, headers, chance, right, why in cases:
        where = f"attempt={attempt}, status={status}, headers={headers}, chance={chance}"
        try:
            got = wait_before(attempt, status, dict(headers), chance)
        except Exception as error:
            expect(False, f"{where} raised {type(error).__name__}: {error}. {why}")
        same = got is None if right is None else got is not None and abs(got - right) < 1e-9
        expect(same, f"{where}: you returned {got!r}; expected {right!r}. {why}")
        found.append(None if right is None else round(got, 6))
    return found


@judges("02.5")
def which_failures_pass(wait_before, rng):
    chance = round(rng.uniform(0.5, 1), 3)
    lasting = [
        (1, status, {}, chance, None, f"{status} lasts: the same request will fail again.")
        for status in (400, 401, 403, 404, 413, 422)
    ]
    passing = [
        (1, status, {}, chance, 0.5 * chance, "That may pass.") for status in (408, 409, 429, 500, 503, 529)
    ]
    return _waits(
        wait_before,
        [*lasting, *passing, (1, None, {}, chance, 0.5 * chance, "No answer came at all: that may pass.")],
    )


@judges("02.5")
def waits_double_and_end(wait_before, rng):
    chance = round(rng.uniform(0.5, 1), 3)
    return _waits(wait_before, [
        (1, 500, {}, chance, 0.5 * chance, "The first wait is half a second, times chance."),
        (2, 500, {}, chance, 1.0 * chance, "The second is twice as long."),
        (3, 500, {}, chance, None, "After the third failure there is no other attempt."),
        (3, 429, {"retry-after": "1"}, chance, None, "Not even if the provider names a time."),
        (4, None, {}, chance, None, "Nor after the fourth."),
    ])  # fmt: skip


@judges("02.5")
def what_the_provider_asks_for_is_kept(wait_before, rng):
    chance, asked = round(rng.uniform(0.5, 1), 3), rng.randint(2, 29)
    own = 0.5 * chance
    return _waits(wait_before, [
        (1, 429, {"retry-after": str(asked)}, chance, asked, "Wait exactly as long as the provider asks: no chance in it."),
        (2, 503, {"retry-after": "0.25"}, chance, 0.25, "A fraction of a second counts too."),
        (1, 429, {"retry-after": "0"}, chance, 0, "0 seconds is an answer, not a missing one."),
        (1, 429, {"retry-after": "30"}, chance, 30, "30 is still allowed."),
        (1, 429, {"retry-after": "31"}, chance, None, "Longer than 30 seconds: do not try again."),
        (1, 429, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, chance, own, "A date is no number of seconds: wait as if nothing was said."),
        (1, 429, {"retry-after": "-5"}, chance, own, "A negative wait is none: wait as if nothing was said."),
        (1, 429, {"retry-after": "nan"}, chance, own, "nan is no number of seconds: wait as if nothing was said."),
        (1, 401, {"retry-after": "1"}, chance, None, "A status that lasts lasts, whatever the header says."),
    ])  # fmt: skip


# 02.6 ---------------------------------------------------------------------------------------------------------------


@judges("02.6")
def the_cut_call_keeps_all_but_the_last(cut_call, rng):
    plain = [f"{word}.md" for word in rng.sample(WORDS, rng.randint(2, 5))]
    odd = [rng.choice(WORDS), 'a "quoted" name', "ends with ]}", "ünïcode \\ back", f"x, {rng.choice(WORDS)}"]
    rng.shuffle(odd)
    found = []
    for files in (
        plain,
        plain[:2],
        odd,
        ["same", "same"],
        [rng.choice(WORDS), "]}"],
        [rng.choice(WORDS), ""],
        [rng.choice(WORDS), f"{rng.choice(WORDS)}, and more"],
    ):
        got = cut_call(list(files))
        expect(
            isinstance(got, tuple | list) and len(got) == 2,
            f"cut_call({files}) returned {got!r}; return (text, length).",
        )
        text, length = got
        expect(
            isinstance(text, str) and isinstance(length, int) and 0 <= length < len(text),
            f"cut_call({files}) returned {got!r}; the length cuts something off the text.",
        )
        try:
            whole = json.loads(text)
        except ValueError as error:
            expect(False, f"for {files} the whole text {text!r} is not JSON: {error}.")
        expect(
            whole == {"keep": files},
            f"for {files} the whole text says {whole!r}; the call is {{'keep': files}}.",
        )
        try:
            partial = from_json(text[:length].encode(), partial_mode=True)
        except ValueError as error:
            expect(
                False, f"for {files} the lenient reader refuses {text[:length]!r}: {error}. Cut elsewhere."
            )
        expect(
            partial == {"keep": files[:-1]},
            f"for {files}, cut to {text[:length]!r}, the lenient reader gives {partial!r}; it should keep all but the last: {files[:-1]}.",
        )
        found.append(files)
    return found
