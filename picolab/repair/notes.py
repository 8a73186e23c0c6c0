"""Change notes: which new names a text offers for an old one, in whatever words its author chose."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from pathlib import PurePosixPath

NOTE_SUFFIXES = {".md", ".rst", ".txt", ".adoc", ".org", ".html", ""}
NOTE_NAMES = re.compile(
    r"change|news|history|release|upgrad|migrat|breaking|readme|what.?s.?new|notes|todo|version|deprecat",
    re.I,
)
WORD = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
REACH = 40
"""Words after an old name within which a new one may stand."""


def is_note(path: str) -> bool:
    """Whether a file is likely to hold words for people."""
    file = PurePosixPath(path)
    return file.suffix.lower() in NOTE_SUFFIXES and (file.suffix != "" or bool(NOTE_NAMES.search(file.name)))


def mentions(texts: Iterable[str], old: str, names: Iterable[str]) -> dict[str, float]:
    """How strongly texts offer each of `names` in place of `old`; 0 < score <= 1, and names never offered left out.

    A name counts more the nearer it stands to the old one, more on the same line, and more after it than before it.
    """
    wanted, scores = set(names), {}
    for text in texts:
        if re.search(rf"\b{re.escape(old)}\b", text):
            for name, score in _near(text, old, wanted):
                scores[name] = max(score, scores.get(name, 0.0))
    return scores


def _near(text: str, old: str, wanted: set[str]) -> Iterable[tuple[str, float]]:
    words = [
        (part, match.start()) for match in WORD.finditer(text) for part in {match[0], *match[0].split(".")}
    ]
    places = [index for index, (word, _) in enumerate(words) if word == old]
    for place in places:
        start = words[place][1]
        for index in range(max(0, place - REACH), min(len(words), place + REACH)):
            word, at = words[index]
            if word in wanted and word != old:
                between = text[min(start, at) : max(start, at)]
                yield word, _weight(abs(index - place), between, after=index > place)


def _weight(distance: int, between: str, after: bool) -> float:
    score = 1.0 / (1.0 + distance / 8)
    if "\n\n" in between:
        score *= 0.2
    elif re.search(r"\n\s*([-*+•]|\d+[.)])\s", between):
        score *= 0.35
    elif "\n" in between:
        score *= 0.8
    return score if after else score * 0.7


def likeness(old: str, new: str) -> float:
    """How alike two names are, 0 to 1: shared words count, and so do shared letters."""
    if old == new:
        return 1.0
    first, second = _words(old), _words(new)
    shared = len(first & second) / max(1, len(first | second))
    letters = SequenceMatcher(None, old.lower(), new.lower()).ratio()
    inside = 0.25 if old.lower() in new.lower() or new.lower() in old.lower() else 0.0
    return min(0.99, max(shared, letters * 0.9) + inside)


def _words(name: str) -> set[str]:
    parts = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower().split("_")
    return {part.rstrip("s") for part in parts if part}
