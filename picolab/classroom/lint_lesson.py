"""Rules for a lesson: its parts and their order, its headings, its figures, its numbers, and the length of its cells."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from picolab.classroom.course import Cell, Module

Found = Iterator[tuple[str, str]]
PARTS = [
    "goals",
    "recall",
    "predict",
    "reveal",
    "widget",
    "compare",
    "limits",
    "elsewhere",
    "summary",
    "sources",
]
MOST_LINES = 15
NUMBER = re.compile(r"(?<![\w.$#/-])[$]?\d[\d,]*(?:\.\d+)?(?![\w/])")
SMALL = 20
"""Whole numbers up to this may stand in prose as they are: they count things on the page."""
FREE = {"goals", "sources", "elsewhere", "limits"}


def _named(module: Module, index: int) -> str:
    return f"lesson.py, cell {index + 1}"


def _code(cell: Cell) -> ast.Module:
    try:
        return compile(cell.source, "cell", "exec", flags=ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        return ast.Module([], [])


def _calls(cell: Cell, name: str) -> list[ast.Call]:
    return [
        n
        for n in ast.walk(_code(cell))
        if isinstance(n, ast.Call) and ast.unparse(n.func).rpartition(".")[2] == name
    ]


def every_part_is_there(module: Module) -> Found:
    """A lesson has each of its parts, and `break` besides."""
    have = {tag for cell in module.lesson for tag in cell.tags}
    for part in [*PARTS, "break"]:
        if part not in have:
            yield "lesson.py", f'no cell has the tag "{part}"; add one, or tag the cell that plays this part'


def parts_come_in_order(module: Module) -> Found:
    """Goals first, then recall, then predictions; limits, elsewhere, summary and sources last."""
    first = {part: next((i for i, c in enumerate(module.lesson) if part in c.tags), None) for part in PARTS}
    order = [(part, first[part]) for part in PARTS if first[part] is not None and part != "widget"]
    for (one, at), (other, then) in pairwise(order):
        if then < at:
            yield _named(module, then), f'"{other}" stands before "{one}"; it belongs after it'


def every_prediction_is_revealed_later(module: Module) -> Found:
    """What is asked is answered, after the asking."""
    asked, told = {}, {}
    for index, cell in enumerate(module.lesson):
        if cell.kind == "code":
            for name, kept in (("predict", asked), ("reveal", told)):
                for call in _calls(cell, name):
                    if call.args and isinstance(call.args[0], ast.Constant):
                        kept[call.args[0].value] = index
    for key, index in asked.items():
        if told.get(key, -1) <= index:
            yield (
                _named(module, index),
                f"the prediction {key!r} is never revealed after it was asked; add reveal({key!r}, …)",
            )
    for key, index in told.items():
        if key not in asked:
            yield (
                _named(module, index),
                f"{key!r} is revealed and was never asked; add predict({key!r}, …) before it",
            )


def headings_form_a_tree(module: Module) -> Found:
    """One title, and no level left out."""
    level, titles = 0, 0
    for index, cell in enumerate(module.lesson):
        if cell.kind == "markdown":
            for marks in re.findall(r"^(#+) ", cell.source, re.M):
                titles += len(marks) == 1
                if len(marks) > level + 1:
                    yield (
                        _named(module, index),
                        f"a heading of level {len(marks)} follows one of level {level}; leave none out",
                    )
                level = len(marks)
    if titles != 1:
        yield "lesson.py", f"there are {titles} headings of level 1; a lesson has one, its title"


def it_says_how_long_and_what_it_needs(module: Module) -> Found:
    """The goals name the minutes and say that no key is needed."""
    goals = "\n".join(cell.source for cell in module.lesson if "goals" in cell.tags)
    if not re.search(r"\d+ minutes", goals):
        yield "lesson.py", "the goals do not say how many minutes the lesson takes"
    if "No key" not in goals:
        yield "lesson.py", 'the goals do not say "No key needed"'


def cells_are_short(module: Module) -> Found:
    """A code cell can be taken in at a glance."""
    for index, cell in enumerate(module.lesson):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        if (
            cell.kind == "code"
            and len(lines) > MOST_LINES
            and not _is_imports(cell)
            and not _is_question(cell)
        ):
            yield _named(module, index), f"{len(lines)} lines of code; split it, {MOST_LINES} is the most"


def _is_imports(cell: Cell) -> bool:
    return all(isinstance(node, ast.Import | ast.ImportFrom) for node in _code(cell).body)


def _is_question(cell: Cell) -> bool:
    return bool({"recall", "predict", "reveal"} & set(cell.tags))


def figures_are_shown_through_the_helper(module: Module) -> Found:
    """Every figure goes through show(…), with a description of its own."""
    for index, cell in enumerate(module.lesson):
        if cell.kind != "code":
            continue
        if re.search(r"\bplt\.|pyplot|\.savefig\(", cell.source):
            yield (
                _named(module, index),
                "pyplot is used; make figures with figure() and display them with show(…, alt=…)",
            )
        for call in _calls(cell, "show"):
            alt = next((word.value for word in call.keywords if word.arg == "alt"), None)
            if alt is None or (isinstance(alt, ast.Constant) and len(str(alt.value)) < 20):
                yield (
                    _named(module, index),
                    "show(…) needs alt=…, a sentence for a reader who cannot see the figure",
                )


def pictures_have_descriptions(module: Module) -> Found:
    """An image in the text has one too."""
    for index, cell in enumerate(module.lesson):
        if cell.kind == "markdown" and re.search(r"!\[\s*\]\(", cell.source):
            yield _named(module, index), "an image has no description; write one between the brackets"


def numbers_in_prose_are_computed(module: Module) -> Found:
    """Each number in the text agrees with the code, through said(…)."""
    spoken = {_digits(text) for cell in module.lesson for text in _said(cell)}
    for index, cell in enumerate(module.lesson):
        if cell.kind != "markdown" or FREE & set(cell.tags):
            continue
        for number in _numbers(cell.source):
            if _digits(number) not in spoken:
                yield (
                    _named(module, index),
                    f"{number} is typed into the text; add said({number!r}, value) beside the code that computes it",
                )


def _said(cell: Cell) -> list[str]:
    if cell.kind != "code":
        return []
    return [
        call.args[0].value
        for call in _calls(cell, "said")
        if call.args and isinstance(call.args[0], ast.Constant)
    ]


def _digits(text: str) -> str:
    match = re.search(r"\d[\d,]*(?:\.\d+)?", text)
    return match[0].replace(",", "") if match else text


def _numbers(text: str) -> list[str]:
    """Numbers that a reader would take for a result: not in code, links, headings, or references to modules and tasks."""
    for pattern in (
        r"```.*?```",
        r"`[^`]*`",
        r"\]\([^)]*\)",
        r"^#.*$",
        r"[Mm]odules? \d+",
        r"[Ee]xercise \d+(\.\d+)?",
        r"\b\d\d\.\d\b",
        r"<[^>]*>",
    ):
        text = re.sub(pattern, " ", text, flags=re.S | re.M)
    found = [number.rstrip(",.") for number in NUMBER.findall(text)]
    return [number for number in found if not (number.isdigit() and int(number) <= SMALL)]


def notebooks_need_no_tricks(module: Module) -> Found:
    """Nothing that breaks in a running loop, needs a network, hides from the tests, or prints by accident."""
    traps = {
        r"asyncio\.run\(": "use top-level await",
        r"nest_asyncio": "use top-level await",
        r"^\s*[%!]\s*pip\b": "nothing is installed from a notebook",
        r"NBVAL_": "use the tag nbval-ignore-output instead of a comment",
        r";\s*$": "take the semicolon away; write `_ = …`",
        r"raises-exception": "catch what is raised, and print it",
    }
    for index, cell in enumerate(module.lesson):
        if cell.kind == "code":
            for pattern, advice in traps.items():
                if re.search(pattern, cell.source, re.M):
                    yield _named(module, index), f"{pattern!r} is in the code: {advice}"
            for call in _calls(cell, "open"):
                if not any(word.arg == "encoding" for word in call.keywords):
                    yield (
                        _named(module, index),
                        'open(…) without encoding="utf-8" reads differently on other machines',
                    )


RULES = [
    every_part_is_there,
    parts_come_in_order,
    every_prediction_is_revealed_later,
    headings_form_a_tree,
    it_says_how_long_and_what_it_needs,
    cells_are_short,
    figures_are_shown_through_the_helper,
    pictures_have_descriptions,
    numbers_in_prose_are_computed,
    notebooks_need_no_tricks,
]
