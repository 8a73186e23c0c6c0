"""Widgets that move the course's arithmetic. Each works by mouse, by keyboard, from code, and as a still picture."""

from typing import Any

_HOME = {
    "context": "context",
    "budgets": "budgets",
    "replay": "replay",
    "truncate": "truncate",
    "storm": "comeback",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        import importlib

        return getattr(importlib.import_module(f"picolab.explore.{_HOME[name]}_widget"), name)
    raise AttributeError(f"picolab.explore has no {name!r}")
