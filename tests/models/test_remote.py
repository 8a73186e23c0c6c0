"""The real SDKs against a server of our own, in three wire formats, in good order and under every fault."""

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from picolab import Agent, Budget, call, policy, script, tool
from picolab.errors import ModelError, PicolabError
from picolab.messages import Message, Reply, Text, Thought, ToolCall, ToolResult, Usage, results, system, user
from picolab.models import anthropic, openai_chat, openai_responses
from picolab.models.base import Request
from picolab.models.catalogue import connect
from picolab.models.server import serving
from picolab.models.server.faults import FAULTS
from picolab.models.server.formats import Answer, Chat, Messages, Responses

PROVIDERS = ("anthropic", "openai", "openai-chat")
WIRES = {
    "anthropic": (anthropic.to_wire, Messages),
    "openai-chat": (openai_chat.to_wire, Chat),
    "openai": (openai_responses.to_wire, Responses),
}
SIZES = {"ä.log": "12", "b.log": "30"}


@tool
async def size(path: str) -> str:
    """The size of a file."""
    return SIZES[path]


@policy
def counter(task):
    measured = yield [call("size", path=path) for path in SIZES]
    yield f"{sum(int(each.content) for each in measured if not each.is_error)} bytes"


def ask(provider, faults=(), model=None, tools=(size,), **options):
    """The outcome of one run against a server with faults, and the server."""
    with serving(model or counter(), faults) as server:
        agent = Agent(server.connect(provider, **options), tools, system="Be brief.", budget=Budget(steps=6))
        return asyncio.run(agent.ask("How many bytes?")), server


# In good order ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_run_over_the_wire_has_the_events_of_a_run_without_one(provider):
    here = asyncio.run(Agent(counter(), [size], system="Be brief.").ask("How many bytes?"))
    there, server = ask(provider)
    kinds = [event.kind for event in here.trace]
    assert [event.kind for event in there.trace] == kinds
    assert (there.state, there.answer) == ("completed", "42 bytes") == (here.state, here.answer)
    replies = [[e.reply.parts for e in run.trace if e.kind == "model_replied"] for run in (here, there)]
    assert replies[0] == replies[1]
    assert [each.body["stream"] for each in server.requests] == [True, True]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_was_sent_before_is_read_from_the_cache_and_counted_once(provider):
    outcome, _ = ask(provider)
    first, second = (event.reply.usage for event in outcome.trace if event.kind == "model_replied")
    assert first.cache_read_tokens == 0
    assert second.cache_read_tokens == first.input_tokens
    assert second.input_tokens == second.cache_read_tokens + second.cache_write_tokens
    assert outcome.usage == first + second


@pytest.mark.parametrize("provider", PROVIDERS)
def test_text_arrives_in_pieces(provider):
    got = []
    with serving(script("one two three four five")) as server:
        model = server.connect(provider, on_text=got.append)
        reply = asyncio.run(model.reply(Request([user("Count.")])))
    assert reply.text == "".join(got) == "one two three four five"
    assert len(got) > 2


def test_all_results_of_a_turn_go_into_one_user_message_at_anthropic():
    _, server = ask("anthropic")
    sent = server.requests[1].body["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "user"]
    assert [block["type"] for block in sent[2]["content"]] == ["tool_result", "tool_result"]
    assert server.requests[1].body["system"] == "Be brief."


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_answer_of_the_server_is_what_the_sdk_says_it_must_be(provider):
    """The SDKs validate nothing by default; here they are told to."""

    async def strict(url):
        from anthropic import AsyncAnthropic
        from openai import AsyncOpenAI

        said = [{"role": "user", "content": "go"}]
        if provider == "anthropic":
            async with AsyncAnthropic(api_key="k", base_url=url, _strict_response_validation=True) as client:
                whole = await client.messages.create(model="m", max_tokens=9, messages=said)
                async with client.messages.stream(model="m", max_tokens=9, messages=said) as stream:
                    last = await stream.get_final_message()
                return [[b.type for b in each.content] for each in (whole, last)], last.stop_reason
        async with AsyncOpenAI(api_key="k", base_url=f"{url}/v1", _strict_response_validation=True) as client:
            if provider == "openai":
                whole = await client.responses.create(model="m", input="go")
                async with client.responses.stream(model="m", input="go") as stream:
                    last = await stream.get_final_response()
                return [[item.type for item in each.output] for each in (whole, last)], last.status
            whole = await client.chat.completions.create(model="m", messages=said)
            async with client.chat.completions.stream(model="m", messages=said) as stream:
                last = await stream.get_final_completion()
            kinds = [[c.type for c in each.choices[0].message.tool_calls] for each in (whole, last)]
            return kinds, last.choices[0].finish_reason

    step = ["thinking aloud", call("size", path="ä.log"), call("size", path="b.log")]
    with serving(script(step, step)) as server:
        kinds, stop = asyncio.run(strict(server.url))
    assert kinds[0] == kinds[1]
    assert len(kinds[0]) >= 2
    assert stop in ("tool_use", "completed", "tool_calls")


words = st.text(min_size=1, max_size=12).filter(lambda text: text.strip() and not text.startswith("ERROR: "))
arguments = st.dictionaries(st.text(max_size=4), st.none() | st.integers() | st.text(max_size=5), max_size=3)
calls = st.builds(
    lambda name, value: (name, json.dumps(value, ensure_ascii=False)), st.sampled_from(["a", "b"]), arguments
)


@st.composite
def histories(draw):
    """A history as a run leaves it: every call has its result, in the next message."""
    made = [system(draw(words))] if draw(st.booleans()) else []
    made.append(user(draw(words)))
    for turn in range(draw(st.integers(0, 3))):
        wanted = draw(st.lists(calls, min_size=1, max_size=3))
        text = [Text(draw(words))] if draw(st.booleans()) else []
        ids = [f"c{turn}.{at}" for at in range(len(wanted))]
        asked = [ToolCall(id, *each) for id, each in zip(ids, wanted, strict=True)]
        made.append(Message("assistant", (*text, *asked)))
        made.append(results(ToolResult(id, draw(words), draw(st.booleans())) for id in ids))
    return made


@pytest.mark.parametrize("provider", PROVIDERS)
@given(history=histories())
def test_a_history_survives_the_wire(provider, history):
    write, form = WIRES[provider]
    assert form.read(json.loads(json.dumps({"input": [], **write(history)}))) == history


@pytest.mark.parametrize("provider", PROVIDERS)
@given(parts=st.lists(words.map(Text) | calls.map(lambda each: ToolCall("c", *each)), min_size=1, max_size=4))
@settings(max_examples=50)
def test_a_reply_survives_the_stream(provider, parts):
    gathered = {"anthropic": anthropic, "openai-chat": openai_chat, "openai": openai_responses}[
        provider
    ].Gathered()
    stop = "tool_use" if any(isinstance(part, ToolCall) for part in parts) else "end_turn"
    if provider == "openai-chat":  # this wire has one text and then the calls
        texts = "".join(part.text for part in parts if isinstance(part, Text))
        parts = [*([Text(texts)] if texts else []), *(part for part in parts if isinstance(part, ToolCall))]
    sent = Reply(tuple(parts), Usage(50, 7, 20, 30), stop)
    for event in WIRES[provider][1].events(Answer("1", "m", sent, sent.usage)):
        gathered.add(event)
    assert gathered.reply(Request([]), "m") == sent


# Under faults -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("fault", ["429:0.01", "500", "529", "cut", "error-event"])
def test_a_failure_that_passes_is_tried_again_and_seen(provider, fault):
    outcome, server = ask(provider, [fault])
    assert (outcome.state, outcome.answer) == ("completed", "42 bytes")
    assert len(server.requests) == 3
    kinds = [event.kind for event in outcome.trace]
    assert kinds[1:5] == ["model_asked", "model_failed", "noted", "model_asked"]
    assert outcome.steps == 2


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_failure_that_stays_ends_the_run_after_three_attempts(provider):
    outcome, server = ask(provider, ["429:0"] * 5)
    assert outcome.state == "failed"
    assert "429" in outcome.reason
    assert len(server.requests) == 3


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_wrong_key_is_not_tried_again_and_never_shown(provider):
    secret = "sk-very-secret-0123456789"
    outcome, server = ask(provider, ["401"], api_key=secret)
    assert outcome.state == "failed"
    assert "the key was not accepted" in outcome.reason
    assert len(server.requests) == 1
    trace = "\n".join(map(repr, outcome.trace))
    assert secret not in trace + outcome.reason + repr(server.requests)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("fault", ["truncated", "wrong-json"])
def test_arguments_that_are_no_json_are_refused_and_the_model_goes_on(provider, fault):
    outcome, server = ask(provider, [fault])
    assert outcome.state == "completed"
    first = next(message for message in outcome.log if message.results).results
    assert any(result.is_error and "not valid JSON" in result.content for result in first)
    assert len(server.requests) == 2
    stop = next(event.reply.stop_reason for event in outcome.trace if event.kind == "model_replied")
    assert stop == ("max_tokens" if fault == "truncated" else "tool_use")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_server_that_does_not_count_is_counted_by_estimate(provider):
    outcome, _ = ask(provider, ["no-usage"])
    usage = next(event.reply.usage for event in outcome.trace if event.kind == "model_replied")
    assert usage.input_tokens > 30
    assert usage.output_tokens > 5


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_slow_first_byte_is_cut_off_by_the_time_budget(provider):
    with serving(counter(), ["slow:5"]) as server:
        agent = Agent(server.connect(provider), [size], budget=Budget(seconds=0.3))
        outcome = asyncio.run(agent.ask("How many bytes?"))
    assert outcome.state == "budget_exhausted"
    assert outcome.seconds < 3


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_model_that_raises_behind_the_server_is_a_failure_with_its_words_and_no_noise(provider, capfd):
    @policy
    def broken(task):
        raise ValueError("no such animal")
        yield

    outcome, server = ask(provider, model=broken())
    assert outcome.state == "failed"
    assert "no such animal" in outcome.reason
    assert len(server.requests) == 1
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_stream_that_is_cut_off_prints_nothing(provider, capfd):
    ask(provider, ["cut"])
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_server_that_is_not_there_is_a_failure_that_says_so(provider):
    model = connect(f"{provider}:m", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match="onnection") as failed:
        asyncio.run(model.reply(Request([user("go")])))
    assert failed.value.retry


def test_every_fault_that_is_listed_has_a_test_here():
    tried = {"401", "429", "500", "529", "cut", "error-event", "truncated", "slow", "wrong-json", "no-usage"}
    assert set(FAULTS) == tried
    for wrong in ("428", "429:soon", "slow:-1"):
        with pytest.raises(PicolabError, match="there is no fault"), serving(counter(), [wrong]):
            pass


def test_what_is_no_request_is_refused_and_the_server_lives_on():
    import urllib.error
    import urllib.request

    with serving(script("fine")) as server:
        for body in (b"", b"[]", b"{}", b'{"messages": 7}'):
            asked = urllib.request.Request(server.url + "/v1/messages", body, method="POST")
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(asked, timeout=5)
            assert refused.value.code == 400
            refused.value.close()
        assert asyncio.run(server.connect("anthropic").reply(Request([user("go")]))).text == "fine"


# At the edges of the formats ----------------------------------------------------------------------------------------


def test_arguments_that_are_no_object_are_shown_to_anthropic_as_they_were():
    body = anthropic.to_wire([Message("assistant", (ToolCall("c", "size", '{"path": "a'),))])
    assert body["messages"][0]["content"][0]["input"] == {"unreadable_arguments": '{"path": "a'}


def test_an_empty_message_is_not_sent_empty():
    body = anthropic.to_wire([user("go"), Message("assistant", (Text(" "),))])
    assert body["messages"][1]["content"] == [{"type": "text", "text": "(nothing)"}]


def test_thoughts_go_back_to_the_provider_that_had_them_and_to_no_other():
    block = {"type": "thinking", "thinking": "hm", "signature": "x"}
    item = {"type": "reasoning", "id": "r", "encrypted_content": "e"}
    message = Message(
        "assistant",
        (Thought("anthropic", json.dumps(block)), Thought("openai", json.dumps(item)), Text("done")),
    )
    assert anthropic.to_wire([message])["messages"][0]["content"][0] == block
    assert openai_responses.to_wire([message])["input"][0] == item
    assert len(anthropic.to_wire([message])["messages"][0]["content"]) == 2
    assert openai_chat.to_wire([message])["messages"] == [{"role": "assistant", "content": "done"}]


def test_thoughts_of_a_stream_are_kept():
    gathered = anthropic.Gathered()
    for event in (
        {"type": "message_start", "message": {"usage": {"input_tokens": 3, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s"}},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "yes"}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}},
        {"type": "message_stop"},
    ):
        gathered.add(event)
    thought, text = gathered.reply(Request([]), "m").parts
    assert json.loads(thought.data) == {"type": "thinking", "thinking": "hm", "signature": "s"}
    assert text == Text("yes")


def test_a_server_of_ones_own_may_leave_ids_and_indexes_out():
    gathered = openai_chat.Gathered()
    piece = {"function": {"name": "size", "arguments": "{}"}}
    gathered.add({"choices": [{"delta": {"tool_calls": [piece, piece]}, "finish_reason": None}]})
    gathered.add({"choices": [{"delta": {}, "finish_reason": "stop"}]})
    reply = gathered.reply(Request([user("x" * 400)]), "m")
    assert len({each.id for each in reply.calls}) == 2
    assert reply.stop_reason == "tool_use"
    assert reply.usage.input_tokens >= 100


@pytest.mark.parametrize("stop", ["something new", "pause"])
def test_a_stop_reason_that_is_not_known_is_no_reply(stop):
    gathered = openai_chat.Gathered()
    gathered.add({"choices": [{"delta": {"content": "x"}, "finish_reason": stop}]})
    with pytest.raises(ModelError, match="unknown reason"):
        gathered.reply(Request([]), "m")
