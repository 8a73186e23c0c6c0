"""A grade, to be read in a terminal or as a page."""

from html import escape

MARKS = {"passed": "✔", "partly": "◐", "not answered": "○"}


def as_text(grade) -> str:
    """What was expected, what came, and the next hint, for every task that is not done."""
    lines = [f"{grade.notebook}"]
    for mark in grade.marks:
        lines.append(
            f"  {MARKS.get(mark.outcome, '✖')} {mark.title:<44} {mark.points:>4g} of {mark.of}   {mark.outcome}"
        )
        lines += [f"        {line}" for line in _details(mark)]
    lines += [f"  note: {note}" for note in grade.notes]
    lines.append(f"  {grade.points:g} of {grade.of} points. Graded in {grade.isolation}. Seed {grade.seed}.")
    return "\n".join(lines)


def _details(mark) -> list[str]:
    if mark.outcome == "passed":
        return []
    words = [mark.message] if mark.message else []
    words += [
        f"✖ {each['name'].replace('_', ' ')}: {each['message']}"
        for each in mark.checks
        if each["message"] and each["message"] != mark.message
    ]
    if mark.hint:
        words.append(f"Hint. {mark.hint}")
    return [line for word in words for line in word.splitlines()]


PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Grades</title><style>
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:860px;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #8886;vertical-align:top}
td.n{text-align:right;white-space:nowrap}ul{margin:.2rem 0;padding-left:1.1rem}small{opacity:.8}
.bar{height:.6rem;border:1px solid #888;border-radius:.3rem;overflow:hidden}.bar i{display:block;height:100%;background:#009E73}
</style></head><body><h1>Grades</h1>"""


def as_html(grades) -> str:
    """A page that needs no other file."""
    return PAGE + "".join(map(_section, grades)) + "</body></html>\n"


def _section(grade) -> str:
    rows = "".join(
        f"<tr><td>{MARKS.get(mark.outcome, '✖')} {escape(mark.title)}<ul>"
        + "".join(f"<li>{escape(line)}</li>" for line in _details(mark))
        + f"</ul></td><td>{escape(mark.outcome)}</td><td class='n'>{mark.points:g} of {mark.of}</td></tr>"
        for mark in grade.marks
    )
    share = 100 * grade.points / max(1, grade.of)
    notes = "".join(f"<li>{escape(note)}</li>" for note in grade.notes)
    return (
        f"<h2>Module {escape(grade.module)}: {grade.points:g} of {grade.of} points</h2><div class='bar'><i style='width:{share:.0f}%'></i></div>"
        f"<table><tr><th>task</th><th>outcome</th><th>points</th></tr>{rows}</table><ul>{notes}</ul>"
        f"<p><small>{escape(grade.notebook)}. Graded in {escape(grade.isolation)}. Seed {escape(grade.seed)}.</small></p>"
    )
