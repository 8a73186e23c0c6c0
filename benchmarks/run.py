"""What picolab's machinery costs, against a raw loop in the same run: `.venv/bin/python benchmarks/run.py [--json]`.

Medians of several rounds; quote the ratios, for times depend on the machine and on what else it does.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable

from picolab import Agent, Budget, Permissions, explore, tool
from picolab.history import History
from picolab.loop import loop
from picolab.messages import Reply, Text, ToolCall, ToolResult, user
from picolab.models import Request

STEPS = (20, 100, 500, 2_000)
ROUNDS = 9


async def raw_loop(steps: int) -> list[dict]:
    """The least that a loop over dicts can be: the yardstick."""
    made = 0

    async def model(messages):
        nonlocal made
        made += 1
        if made > steps:
            return {"role": "assistant", "content": "done", "tool_calls": []}
        call = {"id": f"c{made}", "name": "tick", "arguments": '{"x": 1}'}
        return {"role": "assistant", "content": "", "tool_calls": [call]}

    async def tick_raw(x):
        return str(x)

    tools, messages = {"tick": tick_raw}, [{"role": "user", "content": "go"}]
    while True:
        reply = await model(messages)
        messages.append(reply)
        if not reply["tool_calls"]:
            return messages
        for call in reply["tool_calls"]:
            content = await tools[call["name"]](**json.loads(call["arguments"]))
            messages.append({"role": "tool", "id": call["id"], "content": content})


class Ticking:
    """A model that asks for one trivial call so many times."""

    name = "ticking"

    def __init__(self, steps: int):
        self.steps, self.made = steps, 0

    async def reply(self, request: Request) -> Reply:
        self.made += 1
        if self.made > self.steps:
            return Reply((Text("done"),))
        return Reply((ToolCall(f"c{self.made}", "tick", '{"x": 1}'),))


@tool
async def tick(x: int) -> str:
    """Give the number back."""
    return str(x)


@tool(name="tick")
def plain_tick(x: int) -> str:
    """The same, as a plain function, which runs in a thread."""
    return str(x)


def full(steps: int, tick_tool=tick, trace: str | None = None) -> Awaitable:
    """An agent with everything on: events, trace, budgets in steps and tokens, permissions."""
    budget = Budget(steps=10**6, tokens=10**9)
    return Agent(
        Ticking(steps), [tick_tool], budget=budget, middleware=[Permissions(allow=["tick"])], trace=trace
    ).ask("go")


async def bare(steps: int) -> None:
    """The loop alone, over picolab's messages, with nothing wrapped around it."""
    model, history = Ticking(steps), History([user("go")])

    async def ask(kept):
        return await model.reply(Request(kept.view))

    async def act(calls):
        return [ToolResult(c.id, await tick.function(**json.loads(c.arguments))) for c in calls]

    async def review(reply):
        return None

    await loop(ask, act, review, history)


def per_step(make: Callable[[int], Awaitable], steps: int) -> float:
    """Microseconds a step, the median of several rounds."""

    async def whole():
        await make(steps)

    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        asyncio.run(whole())
        times.append((time.perf_counter() - began) / steps * 1e6)
    return statistics.median(times)


def loops(trace: str) -> list[dict]:
    rows = []
    for steps in STEPS:
        raw = per_step(raw_loop, steps)
        row = {"steps": steps, "raw_us": raw}
        kinds = {
            "full": full,
            "full, trace on disk": lambda n: full(n, trace=trace),
            "bare": bare,
            "full, plain function": lambda n: full(n, plain_tick),
        }
        for name, make in kinds.items():
            row[name] = per_step(make, steps) / raw
        rows.append(row)
    return rows


def seconds_of(code: str) -> float:
    """Wall seconds of a fresh process that runs this code."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def parallel(plain: bool) -> float:
    """Milliseconds that eight tools of 50 ms take beyond the slowest one."""

    @tool(parallel=True)
    async def wait_async() -> str:
        await asyncio.sleep(0.05)
        return "x"

    @tool(parallel=True)
    def wait_plain() -> str:
        time.sleep(0.05)
        return "x"

    chosen = wait_plain if plain else wait_async

    class Eight:
        name = "eight"

        async def reply(self, request: Request) -> Reply:
            if len(request.messages) > 1:
                return Reply((Text("done"),))
            return Reply(tuple(ToolCall(f"c{n}", chosen.name, "{}") for n in range(8)))

    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        asyncio.run(Agent(Eight(), [chosen]).ask("go"))
        times.append((time.perf_counter() - began - 0.05) * 1e3)
    return statistics.median(times)


def redraw() -> float:
    """Milliseconds to compute and draw the first widget anew."""
    widget = explore.context()
    times = []
    for steps in range(20, 20 + ROUNDS):
        began = time.perf_counter()
        widget.set(steps=steps)
        widget.html()
        times.append((time.perf_counter() - began) * 1e3)
    return statistics.median(times)


def measure() -> dict:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        rows = loops(f"{folder}/run.jsonl")
    ours, theirs = seconds_of("import picolab"), seconds_of("import asyncio, json")
    return {
        "loop": rows,
        "import_ratio": ours / theirs,
        "import_ms": ours * 1e3,
        "eight_async_ms_beyond_the_slowest": parallel(plain=False),
        "eight_plain_ms_beyond_the_slowest": parallel(plain=True),
        "redraw_ms": redraw(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    found = measure()
    if parser.parse_args().json:
        print(json.dumps(found, indent=2))
        return
    for row in found["loop"]:
        rest = ", ".join(
            f"{name} {value:.1f} x" for name, value in row.items() if name not in ("steps", "raw_us")
        )
        print(f"{row['steps']:>5} steps: raw {row['raw_us']:.1f} us; {rest}")
    print(
        f"import picolab: {found['import_ms']:.0f} ms, {found['import_ratio']:.2f} x a bare import of asyncio and json"
    )
    for kind in ("async", "plain"):
        print(
            f"eight parallel {kind} tools: {found[f'eight_{kind}_ms_beyond_the_slowest']:.1f} ms beyond the slowest one"
        )
    print(f"widget redraw: {found['redraw_ms']:.0f} ms")


if __name__ == "__main__":
    main()
