"""Names, prices, quotes and caps: nothing is called before its cost is known."""

import asyncio
import datetime

import pytest

from picolab import Agent, call, cli, policy, script, tool
from picolab.errors import PicolabError
from picolab.messages import Reply, Text, ToolCall, Usage
from picolab.models.catalogue import CATALOGUE, CHECKED, connect, find
from picolab.models.cost import HardCap, quote
from picolab.models.server import serving


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("claude-haiku-5-5", "named provider:model"),
        ("mistral:large", "the providers are anthropic, openai, openai-chat"),
        ("anthropic:", "named provider:model"),
        ("anthropic:claude-9", "there is no model 'claude-9'.*catalogue.py.*base_url="),
        ("openai:o1", r"was shut down on 2026-10-23.*catalogue.py"),
        ("anthropic:claude-opus-4-5", r"shut down on 2027-01-22"),
    ],
)
def test_a_model_that_cannot_be_had_is_refused_with_what_to_do(spec, says):
    with pytest.raises(PicolabError, match=says):
        connect(spec)


@pytest.mark.parametrize(
    ("spec", "key"), [("anthropic:claude-haiku-5-5", "ANTHROPIC"), ("openai:gpt-6-luna", "OPENAI")]
)
def test_without_a_key_it_says_which_one_is_missing(spec, key, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for make in (connect, lambda spec: Agent(spec)):
        with pytest.raises(PicolabError, match=f"{key}_API_KEY is not set"):
            make(spec)


def test_a_name_is_enough_for_an_agent():
    agent = Agent(connect("anthropic:claude-haiku-5-5", api_key="k"))
    assert agent.model.name == "anthropic:claude-haiku-5-5"


def test_the_catalogue_was_checked_and_every_price_makes_sense():
    assert datetime.date.fromisoformat(CHECKED) <= datetime.date.today()
    for known in CATALOGUE:
        assert 0 < known.price.cache_read < known.price.input < known.price.cache_write < known.price.output
        assert known.source


def test_a_long_prompt_pays_the_long_price():
    haiku = find("anthropic:claude-haiku-5-5")
    assert haiku.price_of(100_000) == haiku.price
    assert haiku.price_of(100_001).input == 0.50


def test_the_command_prints_the_catalogue(capsys):
    assert cli.main(["models"]) == 0
    assert f"last checked {CHECKED}" in capsys.readouterr().out
    assert cli.main(["models", "--json"]) == 0
    assert '"anthropic:claude-haiku-5-5"' in capsys.readouterr().out


@tool
async def read(path: str) -> str:
    """Read a file."""
    return "x" * 2000


def test_a_quote_is_the_arithmetic_of_context_growth():
    made = quote("anthropic:claude-sonnet-5-5", "x" * 4000, [read], steps=20, observed=1350, written=150)
    assert made.read == 20 * made.start + 1500 * 190
    assert made.dollars == pytest.approx((made.read * 2 + 3000 * 10) / 1e6)
    fresh = made.start + 19 * 1500
    assert made.dollars_with_cache == pytest.approx(
        ((made.read - fresh) * 0.1 + fresh * 2.5 + 3000 * 10) / 1e6
    )
    assert f"{made.read:,} tokens read" in str(made)
    with pytest.raises(PicolabError, match="0 or more"):
        quote("anthropic:claude-sonnet-5-5", "x", steps=-1)


def test_what_came_is_shown_beside_what_was_expected():
    @policy
    def reader():
        for n in range(4):
            yield call("read", path=f"{n}")
        yield "done"

    made = quote("anthropic:claude-haiku-5-5", "Read.", [read], steps=5)
    with serving(reader()) as server:
        outcome = asyncio.run(Agent(server.connect("anthropic"), [read]).ask("Read."))
    table = made.beside(outcome)
    assert f"{outcome.usage.input_tokens:,}" in table
    assert "expected" in table
    assert outcome.usage.cache_read_tokens > 0


class Spender:
    """Writes as much as it may, for ever."""

    name = "spender"

    def __init__(self, most):
        self.most, self.calls = most, 0

    async def reply(self, request):
        self.calls += 1
        asked = ToolCall(f"c{self.calls}", "read", '{"path": "a"}')
        return Reply((Text("x"), asked), Usage(request.tokens * 2, self.most), "tool_use")


@pytest.mark.parametrize("dollars", [0.0, 0.001, 0.02, 0.3])
def test_a_cap_is_never_passed_even_by_a_model_that_writes_all_it_may(dollars):
    known = find("anthropic:claude-sonnet-5-5")
    spender = Spender(1000)
    agent = Agent(spender, [read], middleware=[HardCap(dollars, known, max_tokens=1000)])
    outcome = asyncio.run(agent.ask("Go."))
    assert outcome.state == "budget_exhausted"
    assert known.price.of(outcome.usage) <= dollars
    if dollars == 0.3:
        assert spender.calls > 5


def test_a_cap_that_suffices_is_not_felt():
    known = find("anthropic:claude-haiku-5-5")
    outcome = asyncio.run(Agent(script("done"), middleware=[HardCap(1.0, known)]).ask("Go."))
    assert outcome.state == "completed"
    with pytest.raises(ValueError, match="0 or more"):
        HardCap(-1, known)
