"""A function receives what its signature asks for; everything before it sees plain JSON."""

import asyncio
import enum
import json
from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest

from picolab import Agent, call, script, tool
from picolab.middleware.base import Middleware
from picolab.tools.values import plain, reader_of


class Unit(enum.Enum):
    KM = "km"
    MILES = "miles"


@dataclass(frozen=True)
class Leg:
    start: str
    unit: Unit = Unit.KM
    stops: tuple[str, ...] = ()
    tags: list[str] = field(default_factory=list)

    def __post_init__(self):
        if not self.start:
            raise ValueError("start must not be empty")


@dataclass(frozen=True)
class Stop:
    name: str


def received(kind, sent):
    """What a tool with one parameter of this type is called with."""
    got = []

    def take(what):
        got.append(what)
        return "ok"

    take.__annotations__ = {"what": kind}
    outcome = asyncio.run(Agent(script(call("take", what=sent), "done"), [tool(take, inline=True)]).ask("go"))
    (result,) = outcome.log[2].results
    return got[0] if got else result.content


@pytest.mark.parametrize(
    ("kind", "sent", "value"),
    [
        (int, 3, 3),
        (Unit, "miles", Unit.MILES),
        (Annotated[Unit | None, "a unit"], None, None),
        (Unit | None, "km", Unit.KM),
        (list[Unit], ["km"], [Unit.KM]),
        (tuple[int, ...], [1, 2], (1, 2)),
        (tuple[Unit, ...], ["km"], (Unit.KM,)),
        (dict[str, Unit], {"a": "km"}, {"a": Unit.KM}),
        (Leg, {"start": "Oslo", "unit": "miles", "stops": ["a"]}, Leg("Oslo", Unit.MILES, ("a",))),
        (list[Leg | Stop], [{"name": "x"}, {"start": "y"}], [Stop("x"), Leg("y")]),
        (Literal["km"] | Unit, "miles", Unit.MILES),
        (dict[str, list[Leg]], {"a": [{"start": "b"}]}, {"a": [Leg("b")]}),
    ],
)
def test_checked_json_becomes_the_value_of_the_signature(kind, sent, value):
    got = received(kind, sent)
    assert got == value
    assert type(got) is type(value)


def test_a_value_that_its_dataclass_refuses_is_the_models_to_mend_and_nothing_starts():
    @tool
    async def go(leg: Leg) -> str:
        return leg.start

    outcome = asyncio.run(Agent(script(call("go", leg={"start": ""}), "done"), [go]).ask("go"))
    (result,) = outcome.log[2].results
    assert result.is_error
    assert result.content == "this Leg is refused: start must not be empty"
    assert "tool_started" not in [event.kind for event in outcome.trace]


def test_middleware_and_the_trace_see_plain_json():
    seen = []

    class Look(Middleware):
        async def tool_call(self, run, invocation, next):
            seen.append(invocation.arguments)
            return await next(run, invocation)

    @tool
    async def go(leg: Leg) -> Leg:
        return leg

    agent = Agent(script(call("go", leg={"start": "Oslo"}), "done"), [go], middleware=[Look()])
    outcome = asyncio.run(agent.ask("go"))
    assert seen == [{"leg": {"start": "Oslo"}}]
    (result,) = outcome.log[2].results
    assert json.loads(result.content) == {"start": "Oslo", "unit": "km", "stops": [], "tags": []}


def test_a_signature_of_plain_types_needs_no_reader():
    def plain_one(a: int, b: list[str], c: dict[str, float] | None = None) -> str: ...

    assert tool(plain_one).reader is None
    assert reader_of(plain_one, tool(plain_one).schema) is None


@pytest.mark.parametrize("value", [b"", {1: 2}, {"a": object()}, float("inf"), {1, 2}, Leg])
def test_what_is_not_json_is_said_so(value):
    with pytest.raises(TypeError, match="is not JSON"):
        plain(value)
