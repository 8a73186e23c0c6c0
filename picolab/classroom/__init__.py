"""How the course is built, graded and kept. Everything is loaded when it is first used."""

import sys
from typing import Any

# jsonschema's optional checker for IRIs builds a grammar when it is imported, which takes most of a second in every
# process that touches a notebook. Nothing here checks IRIs; jsonschema does without when the import fails.
sys.modules.setdefault("rfc3987_syntax", None)


def __getattr__(name: str) -> Any:
    if name in ("check", "expect", "judges", "CheckFailed"):
        from picolab.classroom import checking

        return getattr(checking, name)
    raise AttributeError(f"picolab.classroom has no {name!r}")
