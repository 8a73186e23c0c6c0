"""How the course is built, graded and kept. Everything is loaded when it is first used."""

from typing import Any


def __getattr__(name: str) -> Any:
    if name in ("check", "expect", "judges", "CheckFailed"):
        from picolab.classroom import checking

        return getattr(checking, name)
    raise AttributeError(f"picolab.classroom has no {name!r}")
