"""The loop knows three functions and nothing else."""

import asyncio
import inspect

import pytest

from picolab import loop as module
from picolab.errors import Blocked
from picolab.history import History
from picolab.messages import Reply, Text, ToolCall, ToolResult, user


def replies(*each):
    remaining = list(each)

    async def ask(history):
        return remaining.pop(0)

    return ask


async def echo(calls):
    return tuple(ToolResult(call.id, call.arguments) for call in calls)


async def accept(reply):
    return None


def call(id):
    return Reply((ToolCall(id, "echo", "{}"),))


def test_it_acts_until_a_reply_makes_no_call():
    history = History([user("go")])
    final = asyncio.run(
        module.loop(replies(call("a"), call("b"), Reply((Text("done"),))), echo, accept, history)
    )
    assert final.text == "done"
    assert [m.role for m in history.log] == ["user", "assistant", "tool", "assistant", "tool", "assistant"]


def test_an_objection_becomes_the_next_message():
    objections = ["not yet", None]

    async def review(reply):
        return objections.pop(0)

    history = History([user("go")])
    final = asyncio.run(module.loop(replies(Reply((Text("1"),)), Reply((Text("2"),))), echo, review, history))
    assert final.text == "2"
    assert [m.text for m in history.log] == ["go", "1", "not yet", "2"]


def test_a_stop_passes_through_and_the_history_keeps_what_happened():
    async def act(calls):
        raise Blocked("no way on")

    history = History([user("go")])
    with pytest.raises(Blocked):
        asyncio.run(module.loop(replies(call("a")), act, accept, history))
    assert history.log[-1].calls[0].id == "a"


def test_it_fits_on_one_screen_and_names_no_feature():
    source = inspect.getsource(module)
    assert len(source.splitlines()) <= 50
    code = inspect.getsource(module.loop)
    for feature in ("budget", "permission", "verify", "trace", "compact", "retry", "usage"):
        assert feature not in code
