"""A trace as something to look at: text for a terminal, HTML for a notebook.

The HTML runs no script and loads nothing. Everything a tool or a model wrote is escaped, and characters that could
reorder or hide text are made visible. A long run is folded in the middle, so the page stays small.
"""

import json
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

from picolab.events import (
    CompletionRejected,
    Event,
    ModelFailed,
    ModelReplied,
    Noted,
    RunStarted,
    ToolFinished,
)
from picolab.messages import ToolCall, Usage
from picolab.tools.cut import cut

MARKS = {"completed": "✔", "blocked": "■", "needs_user": "?", "budget_exhausted": "▲", "failed": "✖"}
"""A shape for each stop state, so that none is told by colour alone."""
SHOWN_STEPS = 120
SHOWN_CHARACTERS = 1500


@dataclass
class Step:
    """What happened in one step, gathered from its events."""

    number: int
    events: list[Event] = field(default_factory=list)

    def of(self, kind: type) -> list:
        return [event for event in self.events if isinstance(event, kind)]


def steps_of(events: Iterable[Event]) -> list[Step]:
    """The steps of a run, each with its events; step 0 holds what came before the first."""
    steps: dict[int, Step] = {}
    for event in events:
        steps.setdefault(event.step, Step(event.step)).events.append(event)
    return list(steps.values())


def visible(text: str) -> str:
    """The text with control, bidirectional and unpaired characters spelled out."""
    return "".join(
        f"⟨U+{ord(c):04X}⟩" if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co") else c
        for c in text
    )


def one_line(text: str, width: int) -> str:
    """The first words of a text, on one line."""
    flat = visible(" ".join(text.split()))
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def call_text(call: ToolCall, width: int) -> str:
    """A call as a programmer would write it."""
    try:
        arguments = ", ".join(
            f"{key}={json.dumps(value, ensure_ascii=False)}"
            for key, value in json.loads(call.arguments).items()
        )
    except (ValueError, AttributeError, RecursionError):
        arguments = call.arguments
    return one_line(f"{call.name}({arguments})", width)


def totals(trace) -> str:
    """One line of sums over a run."""
    usage = sum((event.reply.usage for event in trace if isinstance(event, ModelReplied)), Usage())
    calls = sum(isinstance(event, ToolFinished) for event in trace)
    steps = max((event.step for event in trace), default=0)
    seconds = trace.events[-1].at if len(trace) else 0.0
    return (
        f"{steps} steps · {calls} tool calls · {usage.input_tokens:,} tokens in, {usage.output_tokens:,} out · "
        f"{seconds:.2f} s"
    )


def as_text(trace, width: int = 100) -> str:
    """The run as text: a line for what the model said, and a line for each call and what came of it."""
    lines = [f"task   {one_line(event.task, width - 7)}" for event in trace if isinstance(event, RunStarted)]
    for step in steps_of(trace):
        lines += [line for event in step.events for line in _text_lines(event, width)]
    stop = trace.stop
    lines.append(
        f"{MARKS[stop.state]} {stop.state}: {one_line(stop.reason or stop.answer, width)}"
        if stop
        else "… not stopped"
    )
    return "\n".join([*lines, f"  {totals(trace)}"])


def _text_lines(event: Event, width: int) -> list[str]:
    at = f"{event.step:>4}  {event.at:7.2f} s  "
    room = width - len(at) - 4
    match event:
        case ModelReplied(reply=reply):
            said = [at + "◆ " + one_line(reply.text, room)] if reply.text.strip() else []
            return said + [at + "→ " + call_text(call, room) for call in reply.calls]
        case ToolFinished(result=result):
            return [at + ("✖ " if result.is_error else "← ") + one_line(gist(result.content), room)]
        case ModelFailed(error=error):
            return [at + "✖ the model failed: " + one_line(error, room)]
        case CompletionRejected(reason=reason):
            return [at + "✖ not believed: " + one_line(gist(reason), room)]
        case Noted(source=source, text=text):
            return [at + f"· {source}: " + one_line(text, room)]
    return []


def gist(content: str) -> str:
    """What a result says most briefly: how a test run ended, or else its first line and its last."""
    lines = [line.strip(" =_-") for line in content.splitlines() if line.strip(" =_-")]
    if len(lines) > 1 and lines[-1].startswith("exit status"):
        return f"{lines[-2]}; {lines[-1]}"
    if len(lines) < 3:
        return " / ".join(lines)
    return f"{lines[0]} … {lines[-1]}"


STYLE = """<style>
.pl-run{font:13px/1.45 var(--jp-ui-font-family,system-ui,sans-serif);color:var(--jp-ui-font-color1,#1b1b1b);
 max-width:980px;border:1px solid var(--jp-border-color2,#cfcfcf);border-radius:8px;padding:10px 14px;margin:4px 0}
.pl-run pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:4px 0;padding:6px 8px;border-radius:4px;
 font:12px/1.4 var(--jp-code-font-family,monospace);background:var(--jp-layout-color2,#f2f2f2);color:inherit}
.pl-run summary{cursor:pointer;padding:3px 4px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.pl-run summary:hover{background:var(--jp-layout-color2,#f2f2f2)}
.pl-run code{font-family:var(--jp-code-font-family,monospace);font-size:12px;background:none;color:inherit}
.pl-no{display:inline-block;min-width:2.2em;text-align:right;margin-right:.7em;color:var(--jp-ui-font-color2,#555)}
.pl-bad{color:var(--jp-error-color0,#b3261e);font-weight:600}
.pl-dim{color:var(--jp-ui-font-color2,#555)}
.pl-lane{position:relative;height:15px;margin:3px 0 3px 4.2em;background:var(--jp-layout-color2,#f2f2f2);border-radius:3px}
.pl-lane>b{position:absolute;left:-4.2em;font-weight:400;font-size:11px}
.pl-lane>i{position:absolute;top:2px;height:11px;min-width:3px;border-radius:2px;background:#0072B2}
.pl-lane>i.t{background:#E69F00}.pl-lane>i.e{background:#D55E00;outline:1px solid #7a2f00}
</style>"""


def as_html(trace) -> str:
    """The run as a card: how it ended, where the time went, and each step to unfold."""
    steps = [step for step in steps_of(trace) if step.number]
    stop = trace.stop
    state = stop.state if stop else "not stopped"
    head = f"{MARKS.get(state, '…')} {state.replace('_', ' ')}"
    task = next((event.task for event in trace if isinstance(event, RunStarted)), "")
    kind = "" if state == "completed" else " class='pl-bad'"
    parts = [
        STYLE,
        "<div class='pl-run'>",
        f"<div><strong{kind}>{escape(head)}</strong> &nbsp;<span class='pl-dim'>{escape(totals(trace))}</span></div>",
        f"<div class='pl-dim'>{escape(one_line(task, 300))}</div>",
        _lanes(trace),
        *_folded(steps),
    ]
    if stop and (stop.reason or stop.answer):
        parts.append(_pre(stop.reason or stop.answer))
    return "\n".join([*parts, "</div>"])


def _folded(steps: list[Step]) -> list[str]:
    if len(steps) <= SHOWN_STEPS:
        return [_step_html(step) for step in steps]
    half = SHOWN_STEPS // 2
    note = f"<p class='pl-dim'>… {len(steps) - 2 * half:,} steps are not shown; the trace itself holds them all …</p>"
    return [*map(_step_html, steps[:half]), note, *map(_step_html, steps[-half:])]


def _step_html(step: Step) -> str:
    body, heads = [], []
    for event in step.events:
        match event:
            case ModelReplied(reply=reply):
                heads += [f"<code>{escape(call_text(call, 90))}</code>" for call in reply.calls[:3]]
                if reply.text.strip():
                    body.append(_pre(reply.text))
                    if not reply.calls:
                        heads.append(f"◆ {escape(one_line(reply.text, 90))}")
                body += [_pre(f"{call.name} {call.arguments}") for call in reply.calls]
                body.append(
                    f"<div class='pl-dim'>{reply.usage.input_tokens:,} tokens in, {reply.usage.output_tokens:,} out</div>"
                )
            case ToolFinished(result=result):
                mark, kind = ("✖", " class='pl-bad'") if result.is_error else ("←", "")
                heads.append(f"<span{kind}>{mark} {escape(one_line(gist(result.content), 80))}</span>")
                body.append(
                    f"<div{kind}>{mark} {escape(event.name)}, {event.seconds:.2f} s</div>{_pre(result.content)}"
                )
            case ModelFailed(error=error):
                heads.append(f"<span class='pl-bad'>✖ the model failed: {escape(one_line(error, 80))}</span>")
            case CompletionRejected(reason=reason):
                heads.append("<span class='pl-bad'>✖ not believed</span>")
                body.append(_pre(reason))
    more = f"<summary><span class='pl-no'>{step.number}</span>{' &nbsp;'.join(heads)}</summary>"
    return f"<details>{more}<div style='margin-left:3.2em'>{''.join(body)}</div></details>"


def _pre(text: str) -> str:
    return f"<pre>{escape(visible(cut(text, SHOWN_CHARACTERS)))}</pre>"


def _lanes(trace) -> str:
    """Two bars over time: when the model was thinking, and when tools were at work."""
    total = trace.events[-1].at if len(trace) else 0.0
    if total <= 0:
        return ""
    model, tools = [], []
    for event in list(trace)[:: max(1, len(trace) // 800)]:
        if isinstance(event, ModelReplied):
            model.append(_bar(event.at - event.seconds, event.at, total, "", f"model, step {event.step}"))
        elif isinstance(event, ToolFinished):
            kind = "e" if event.result.is_error else "t"
            tools.append(
                _bar(event.at - event.seconds, event.at, total, kind, f"{event.name}, step {event.step}")
            )
    lanes = (("model", model), ("tools", tools))
    return "".join(f"<div class='pl-lane'><b>{name}</b>{''.join(bars)}</div>" for name, bars in lanes)


def _bar(start: float, end: float, total: float, kind: str, title: str) -> str:
    left, width = 100 * start / total, 100 * (end - start) / total
    return f"<i class='{kind}' title='{escape(title)}' style='left:{min(left, 99.6):.2f}%;width:{width:.2f}%'></i>"
