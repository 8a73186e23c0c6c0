"""Widgets work from code, say in words what they draw, and leave a picture where there is no kernel."""

import asyncio
import re

import pytest

from picolab import Agent, Trace, call, explore, script, tool
from picolab.classroom.show import as_html, figure
from picolab.events import ModelReplied
from picolab.messages import Reply, Text, Usage


def a_trace(tokens=(100, 900, 1200)):
    return Trace(
        events=[
            ModelReplied(n, float(n), Reply((Text("x"),), Usage(t, 5)), 0.1) for n, t in enumerate(tokens, 1)
        ]
    )


def bundle(explorer):
    """What a front end receives."""
    import IPython.display

    shown, before = [], IPython.display.display
    IPython.display.display = lambda data, raw: shown.append(data)
    try:
        explorer._ipython_display_()
    finally:
        IPython.display.display = before
    (data,) = shown
    return data


def make(name):
    return {
        "context": lambda: explore.context(),
        "budgets": lambda: explore.budgets(),
        "replay": lambda: explore.replay(a_trace()),
        "truncate": lambda: explore.truncate(),
        "storm": lambda: explore.storm(),
    }[name]()


def test_context_computes_the_published_numbers_and_follows_its_inputs():
    widget = explore.context()
    for words in ("31,500 tokens", "31,500 positions", "345,000", "10.9524", "33,000 tokens", "4.0283 GiB"):
        assert words in widget.text
    assert "345,000 positions; with everything anew it would be 345,000" in widget.set(reuse=False).text
    assert "breaks at call 10" in widget.set(reuse=True, break_at=10).text
    assert widget.result.work[9] == 3000 + 9 * 1500
    assert "$" in widget.set(price="small model").text


def test_a_real_run_is_drawn_and_told():
    widget = explore.context(trace=a_trace())
    assert "Your run made 3 calls and read 2,200 tokens in all, from 100 to 1,200 a call" in widget.text
    assert "third line" in re.search('alt="([^"]+)"', widget.html())[1]


def test_budgets_follow_the_setting_and_are_the_same_for_a_seed():
    assert explore.budgets(p=0.0).result.outcome.state == "completed"
    assert explore.budgets(p=0.0, steps=3).result.outcome.state == "budget_exhausted"
    assert explore.budgets(p=1.0, steps=9).result.outcome.state == "budget_exhausted"
    assert explore.budgets(p=0.4, seed=5).text == explore.budgets(p=0.4, seed=5).text


def test_budgets_also_work_inside_a_running_loop():
    async def inside():
        return explore.budgets(p=0.2).text

    assert "The run ended as" in asyncio.run(inside())


def test_replay_shows_what_a_step_read_wanted_and_learnt():
    @tool
    async def echo(text: str) -> str:
        return text

    trace = asyncio.run(Agent(script(call("echo", text="hi"), "done"), [echo]).ask("go")).trace
    widget = explore.replay(trace)
    assert 'It wanted: echo(text="hi")' in widget.text
    assert "It learnt: hi" in widget.text
    assert "It said: done" in widget.set(step=2).text
    with pytest.raises(ValueError, match="no model call"):
        explore.replay(Trace())


def test_a_storm_breaks_when_half_of_each_wait_is_chance():
    widget = explore.storm(clients=200, retries=5, first=0.5, outage=5.0)
    assert "200 clients made 1,000 attempts; 0 gave up" in widget.text
    assert "200 retries arrived within a tenth of a second" in widget.text
    assert widget.set(jitter=True).result.result.busiest() < 100
    assert "200 gave up" in widget.set(retries=2).text


@pytest.mark.parametrize("name", ["context", "budgets", "replay", "truncate", "storm"])
def test_every_widget_shows_itself_live_as_html_and_as_words(name):
    widget = make(name)
    data = bundle(widget)
    assert set(data) == {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"}
    assert widget.text in data["text/plain"]
    alt = re.search('<figure class="pl-figure"><img alt="([^"]+)"', data["text/html"])[1]
    assert len(alt) > 40
    assert "http" not in data["text/html"]


@pytest.mark.parametrize("name", ["context", "budgets", "replay", "truncate", "storm"])
def test_moving_a_control_moves_the_result_the_picture_and_the_words(name):
    widget = make(name)
    bundle(widget)
    first = next(iter(widget.inputs))
    control = widget._controls[first]
    picture, words = widget._picture.value, widget._words.value
    control.value = type(control.value)(
        control.value + {"budgets": 0.5, "truncate": 500, "storm": 10}.get(name, 1)
    )
    assert widget.values[first] == control.value
    assert widget._picture.value != picture
    assert widget._words.value != words
    assert all(each.description for each in widget._controls.values())


def test_code_that_asks_for_nonsense_gets_an_error_and_a_control_gets_words():
    widget = explore.context()
    for bad in ({"start": -1}, {"speed": 3}, {"price": "free"}):
        with pytest.raises(ValueError):
            widget.set(**bad)
    bundle(widget)
    widget._moved("increment", -5)
    assert "✖" in widget._words.value
    assert widget.values["increment"] == 1500


def test_a_figure_without_a_description_is_refused():
    with pytest.raises(ValueError, match="alt"):
        as_html(figure(), alt=" ")


def test_a_description_cannot_break_out_of_its_place():
    html = as_html(figure(), alt='"><script>alert(1)</script>')
    assert "<script>" not in html


def test_truncate_says_which_lines_the_model_still_sees():
    widget = explore.truncate(limit=5_000)
    assert "It sees: command, first error, last line" in widget.text
    assert "Cut: first error" in widget.set(limit=2_000).text
    assert "first error kept" in re.search('alt="([^"]+)"', widget.set(limit=3_000, head=0.9).html())[1]
    assert "none of the lines that matter" in widget.set(limit=0).text
    for wrong in ({"limit": -1}, {"head": 1.5}):
        with pytest.raises(ValueError, match=r"must be|from 0 to 1"):
            widget.set(**wrong)


def test_calls_in_time_counts_what_ran_together():
    from picolab.explore.calls import calls_in_time, overlapping

    @tool(parallel=True)
    async def fetch() -> str:
        await asyncio.sleep(0.02)
        return "x"

    @tool
    async def save() -> str:
        await asyncio.sleep(0.001)
        return "x"

    def run(*calls):
        return asyncio.run(
            Agent(script([call(name) for name in calls], "done"), [fetch, save]).ask("go")
        ).trace

    together, apart = run("fetch", "fetch", "fetch"), run("save", "save")
    assert (overlapping(together), overlapping(apart), overlapping([])) == (3, 1, 0)
    assert "<img" in as_html(calls_in_time({"a": together, "b": apart}), alt="the calls of two runs")
