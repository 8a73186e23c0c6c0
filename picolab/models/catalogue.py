"""Model names and their prices: the one file to change when a provider changes them.

`picolab models` prints it.
"""

import argparse
import datetime
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from picolab.budgets import Price
from picolab.errors import PicolabError

if TYPE_CHECKING:
    from picolab.models.base import Model

CHECKED = "2026-12-04"
"""When names, prices and dates were last compared with the providers' own pages."""
FILE = "picolab/models/catalogue.py"


@dataclass(frozen=True, slots=True)
class Known:
    """A model and what it costs, in US dollars for a million tokens."""

    provider: str
    name: str
    price: Price
    long_from: int
    """A request with more input tokens than this pays `long_price`, for all of it; 0 for no such limit."""
    long_price: Price | None
    source: str

    def price_of(self, input_tokens: int) -> Price:
        """The price of a request that reads so many tokens."""
        return self.long_price if self.long_price and input_tokens > self.long_from else self.price


CLAUDE, OPENAI = "platform.claude.com, models overview", "developers.openai.com, model pages"
CATALOGUE = [
    Known("anthropic", "claude-haiku-5-5", Price(0.10, 0.50, 0.01, 0.125), 100_000, Price(0.50, 2.50, 0.05, 0.625), CLAUDE),
    Known("anthropic", "claude-sonnet-5-5", Price(2.00, 10.00, 0.10, 2.50), 0, None, CLAUDE),
    Known("anthropic", "claude-opus-5-5", Price(4.00, 20.00, 0.20, 5.00), 0, None, CLAUDE),
    Known("openai", "gpt-6-luna", Price(0.10, 0.50, 0.01, 0.125), 272_000, Price(0.20, 0.75, 0.02, 0.25), OPENAI),
    Known("openai", "gpt-6.2-sol", Price(2.00, 10.00, 0.10, 2.50), 272_000, Price(4.00, 15.00, 0.20, 5.00), OPENAI),
]  # fmt: skip
ENDS = {
    "claude-mythos-preview": "2026-06-30",
    "claude-sonnet-4-5": "2026-11-30",
    "claude-opus-4-5": "2027-01-22",
    "o1": "2026-10-23",
    "o3-mini": "2026-10-23",
    "o4-mini": "2026-10-23",
    "gpt-4": "2026-10-23",
    "gpt-3.5-turbo": "2026-10-23",
    "o3": "2026-12-11",
    "gpt-5": "2026-12-11",
    "gpt-5-mini": "2026-12-11",
    "gpt-5-nano": "2026-12-11",
    "gpt-4.1": "2027-01-14",
    "gpt-4.1-mini": "2027-01-14",
    "gpt-4o": "2027-01-14",
    "gpt-4o-mini": "2027-01-14",
}
"""Models that their providers have ended, or have announced to end, and when. Source: the SDKs' own lists."""
PROVIDERS = ("anthropic", "openai", "openai-chat")
"""`openai` speaks the Responses API, `openai-chat` Chat Completions, as most servers of one's own do."""


def connect(
    spec: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    max_tokens: int = 4096,
    on_text: Callable[[str], None] | None = None,
) -> "Model":
    """A real model: `connect("anthropic:claude-haiku-5-5")`.

    Args:
        spec: `provider:model`, with a provider from `PROVIDERS`.
        base_url: a server other than the provider's own, such as `http://127.0.0.1:11434/v1` for Ollama. Any model name goes.
        api_key: the key; by default from ANTHROPIC_API_KEY or OPENAI_API_KEY. A server of one's own needs none.
        max_tokens: the most that one reply may write.
        on_text: called with each piece of text as it arrives.

    Raises:
        PicolabError: an unknown provider, a model that is unknown or ended, or no key; the message says what to do.
    """
    provider, colon, name = spec.partition(":")
    if not colon or provider not in PROVIDERS or not name:
        raise PicolabError(f"a model is named provider:model, like anthropic:{CATALOGUE[0].name}, not {spec!r}; "
                           f"the providers are {', '.join(PROVIDERS)}")  # fmt: skip
    if base_url is None:
        find(spec)
    from picolab.models.anthropic import Anthropic
    from picolab.models.openai_chat import OpenAIChat
    from picolab.models.openai_responses import OpenAIResponses

    kind = dict(zip(PROVIDERS, (Anthropic, OpenAIResponses, OpenAIChat), strict=True))[provider]
    return kind(name, base_url=base_url, api_key=api_key, max_tokens=max_tokens, on_text=on_text)


def find(spec: str) -> Known:
    """What is known of `provider:model`.

    Raises:
        PicolabError: nothing, or the model has ended; the message says where to change it.
    """
    provider, _, name = spec.partition(":")
    for known in CATALOGUE:
        if (known.provider, known.name) == (provider.removesuffix("-chat"), name):
            return known
    names = ", ".join(f"{known.provider}:{known.name}" for known in CATALOGUE)
    advice = f"{FILE} (last checked {CHECKED}) knows {names}. Take one of these, or add a line there"
    if name in ENDS:
        gone = datetime.date.fromisoformat(ENDS[name]) <= datetime.date.today()
        raise PicolabError(f"{name} {'was' if gone else 'will be'} shut down on {ENDS[name]}. {advice}")
    raise PicolabError(
        f"there is no model {name!r} from {provider}. {advice}; for a server of your own pass base_url="
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def run(args: argparse.Namespace) -> int:
    if args.json:
        rows = [
            {
                "model": f"{known.provider}:{known.name}",
                "dollars_per_million": {
                    "input": known.price.input,
                    "output": known.price.output,
                    "cache_read": known.price.cache_read,
                    "cache_write": known.price.cache_write,
                },
                "source": known.source,
                "checked": CHECKED,
            }
            for known in CATALOGUE
        ]
        print(json.dumps(rows, indent=2))
        return 0
    print(f"US dollars for a million tokens, last checked {CHECKED}; change them in {FILE}\n")
    print(f"{'model':<30}{'input':>8}{'output':>8}{'cache read':>12}{'write':>8}")
    for known in CATALOGUE:
        price = known.price
        print(f"{known.provider + ':' + known.name:<30}{price.input:>8.2f}{price.output:>8.2f}"
              f"{price.cache_read:>12.3f}{price.cache_write:>8.3f}")  # fmt: skip
        if known.long_price:
            print(f"{f'  above {known.long_from:,} input tokens':<30}{known.long_price.input:>8.2f}{known.long_price.output:>8.2f}"
                  f"{known.long_price.cache_read:>12.3f}{known.long_price.cache_write:>8.3f}")  # fmt: skip
    return 0
