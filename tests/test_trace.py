"""A trace is written as it happens, read back exactly, and shown without harm."""

import asyncio
import subprocess
import sys

import pytest

from picolab import Agent, Trace, call, cli, script, tool
from picolab.errors import PicolabError
from picolab.events import ModelReplied, RunStarted, RunStopped, ToolFinished
from picolab.messages import Reply, Text, ToolCall, ToolResult, Usage


@tool
async def echo(text: str) -> str:
    """Say it back."""
    return text


def run(path=None, *steps):
    steps = steps or (call("echo", text="hi"), "done")
    return asyncio.run(Agent(script(*steps), [echo], trace=path).ask("say hi"))


def test_what_was_written_is_what_is_read(tmp_path):
    outcome = run(tmp_path / "deep" / "run.jsonl")
    back = Trace.load(tmp_path / "deep" / "run.jsonl")
    assert list(back) == list(outcome.trace)
    assert not back.torn
    assert back.stop.state == "completed"
    assert Trace.load(outcome.trace.save(tmp_path / "copy.jsonl")).events == outcome.trace.events


def test_a_killed_process_leaves_its_trace_up_to_the_last_event(tmp_path):
    program = f"""
import asyncio, os
from picolab import Agent, script, call, tool
@tool
async def leave() -> str:
    os._exit(9)
asyncio.run(Agent(script(call("leave")), [leave], trace={str(tmp_path / "run.jsonl")!r}).ask("go"))
"""
    done = subprocess.run([sys.executable, "-c", program], check=False, timeout=60)
    assert done.returncode == 9
    trace = Trace.load(tmp_path / "run.jsonl")
    assert [event.kind for event in trace][-1] == "tool_started"
    assert trace.stop is None
    assert "not stopped" in trace.timeline()


def test_a_torn_last_line_is_left_out_and_said(tmp_path, capsys):
    path = tmp_path / "run.jsonl"
    run(path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text[:-40], encoding="utf-8")
    trace = Trace.load(path)
    assert trace.torn
    assert len(trace) == text.count("\n") - 1
    assert cli.main(["show", str(path)]) == 0
    assert "cut short" in capsys.readouterr().out


@pytest.mark.parametrize("text", ['{"kind": "unknown", "step": 0, "at": 0}\n', "text\n", "\x00\n"])
def test_a_file_that_is_no_trace_is_refused(tmp_path, text):
    (tmp_path / "x").write_text(text, encoding="utf-8")
    with pytest.raises(PicolabError):
        Trace.load(tmp_path / "x")
    assert cli.main(["show", str(tmp_path / "x")]) == 2
    assert cli.main(["show", str(tmp_path / "missing")]) == 2


HOSTILE = "</pre><script>alert(1)</script>\u202e\x1b[31m\x00<img src=x onerror=y>\ud800"


def test_nothing_that_a_tool_writes_becomes_html_or_hides(tmp_path):
    call_ = ToolCall("c1", "<b>tool</b>", '{"a": "<i>"}')
    events = [
        RunStarted(0, 0.0, HOSTILE, "m"),
        ModelReplied(1, 0.1, Reply((Text(HOSTILE), call_)), 0.1),
        ToolFinished(1, 0.2, "<b>tool</b>", ToolResult("c1", HOSTILE, True), 0.1),
        RunStopped(1, 0.3, "failed", HOSTILE, "", Usage(), 0.3),
    ]
    html = Trace(events=events)._repr_html_()
    for harm in ("<script>alert", "<img src=x", "<b>tool<", '<i>"', "\u202e", "\x1b", "\x00", "\ud800"):
        assert harm not in html
    html.encode("utf-8")
    Trace(events=events).timeline().encode("utf-8")
    assert "⟨U+202E⟩" in html


def test_a_long_run_is_folded_and_stays_small():
    events = [RunStarted(0, 0.0, "long", "m")]
    for step in range(1, 2001):
        reply = Reply((ToolCall(f"c{step}", "echo", '{"text": "' + "x" * 3000 + '"}'),))
        events.append(ModelReplied(step, step / 10, reply, 0.05))
        events.append(ToolFinished(step, step / 10, "echo", ToolResult(f"c{step}", "y" * 9000), 0.01))
    trace = Trace(events=events)
    html = trace._repr_html_()
    assert len(html) < 1_000_000
    assert "1,880 steps are not shown" in html
    assert "not stopped" in html


def test_the_timeline_has_a_line_for_each_call_and_says_how_it_ended():
    text = run(None, call("echo", text="hi"), call("shout"), "done").trace.timeline(90)
    assert '→ echo(text="hi")' in text
    assert "✖ there is no tool 'shout'" in text
    assert "✔ completed: done" in text
    assert all(len(line) <= 100 for line in text.splitlines())
