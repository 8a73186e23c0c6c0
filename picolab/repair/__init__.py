"""An agent that mends a Python repository whose tests broke after a dependency update.

failures    what pytest's output says went wrong, and where
sources     what the files that were read define and import
notes       which new names the change notes offer for an old one
editing     changes to a text by position, and the edits that make them
candidates  the changes worth trying for one problem, best first
names, modules, members, keywords, uses, readings   where candidates of each kind come from
policy      try, test, keep or undo
command     `picolab repair`
"""

from typing import Any


def __getattr__(name: str) -> Any:
    if name in ("repair", "Evidence"):
        from picolab.repair import command

        return getattr(command, name)
    if name == "repairer":
        from picolab.repair.policy import repairer

        return repairer
    raise AttributeError(f"picolab.repair has no {name!r}")
