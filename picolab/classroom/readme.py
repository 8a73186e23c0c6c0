"""The parts of README and syllabus that are made from the course itself, between their markers."""

from pathlib import Path

from picolab.classroom import course

PLANNED = {
    "00": ("welcome", "run the finished agent, read its trace"),
    "01": ("the loop", "ask, act, observe, stop"),
    "02": ("models on the wire", "adapters for two providers, streaming"),
    "03": ("tools", "schemas, strict parsing, dispatch"),
    "04": ("a coding agent", "its tools and its prompt"),
    "05": ("permissions", "rules, approval, a sandbox"),
    "06": ("middleware and hooks", "the onion around each call"),
    "07": ("context growth", "what every token costs again"),
    "08": ("compaction", "what to keep when it gets long"),
    "09": ("memory and skills", "what outlives a run"),
    "10": ("MCP", "a client from the bytes up"),
    "11": ("action languages", "calls, plans, or code"),
    "12": ("latency", "the critical path of a step"),
    "13": ("reliability", "retries, a journal, resume"),
    "14": ("sub-agents", "delegation and its arithmetic"),
    "15": ("cost", "the calculator and the levers"),
    "16": ("evaluation", "metrics, judges, passports"),
    "17": ("serving", "sessions over HTTP"),
    "18": ("capstone", "your own agent on held-out builds"),
}


def table(prefix: str = "") -> str:
    """Every planned module, and whether it is there."""
    done = {each.number: each for each in course.modules()}
    rows = ["| | module | you build | tasks | |", "|---|---|---|---|---|"]
    for number, (name, what) in PLANNED.items():
        module = done.get(number)
        title = f"[{name}]({prefix}notebooks/{module.stem}.ipynb)" if module else name
        tasks = str(len(module.tasks)) if module else ""
        rows.append(f"| {number} | {title} | {what} | {tasks} | {'ready' if module else 'not yet'} |")
    return "\n".join(rows)


def parts() -> dict[Path, dict[str, str]]:
    """The generated text of each file, by marker."""
    base = course.root()
    return {
        base / "README.md": {"modules": table()},
        base / "course" / "README.md": {"modules": table("../")},
    }


def rendered(path: Path, made: dict[str, str]) -> str:
    """A file's text with its generated parts anew."""
    text = path.read_text(encoding="utf-8")
    for name, part in made.items():
        begin, end = f"<!-- begin: {name} -->", f"<!-- end: {name} -->"
        head, found, rest = text.partition(begin)
        _, closed, tail = rest.partition(end)
        if found and closed:
            text = f"{head}{begin}\n{part}\n{end}{tail}"
    return text


def stale() -> list[str]:
    """Files whose generated parts are not what they would be now."""
    return [
        f"{path.relative_to(course.root())}: its generated part has changed"
        for path, made in parts().items()
        if path.exists() and rendered(path, made) != path.read_text(encoding="utf-8")
    ]


def write() -> list[Path]:
    """Bring every generated part up to date; returns the files that changed."""
    changed = []
    for path, made in parts().items():
        if path.exists() and (text := rendered(path, made)) != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8", newline="\n")
            changed.append(path.relative_to(course.root()))
    return changed
