"""What a repair has to show: what failed, what was changed, and what passes now."""

import difflib
from dataclasses import dataclass
from html import escape
from pathlib import Path

from picolab.timeline import visible
from picolab.verify import TestRun, _contents

COLOURS = {"+": "32", "-": "31", "@": "36"}


@dataclass(frozen=True)
class Evidence:
    """The verifier's runs of the tests before and after, and the change between."""

    verified: bool
    """Whether the verifier saw the original tests pass."""
    before: TestRun
    after: TestRun | None
    """None when the agent never claimed to be done."""
    diff: str
    """A unified diff of everything that was changed."""

    @property
    def failed_before(self) -> list[dict[str, str]]:
        """Tests or files that failed, each with its error."""
        return [{"test": f.test, "error": f"{f.error}: {f.message}"[:500]} for f in self.before.failures]

    @property
    def passes_now(self) -> list[str]:
        return self.after.with_outcome("passed") if self.after else []

    @property
    def fails_now(self) -> list[str]:
        return self.after.with_outcome("failed") if self.after else []

    def as_text(self, colour: bool = False) -> str:
        """Failures, diff and passes, for a terminal."""
        failed = [f"  ✖ {each['test']}\n      {_first(each['error'])}" for each in self.failed_before]
        heads = [f"Failed before ({len(failed)}):", *failed] if failed else ["Nothing failed before."]
        diff = [_coloured(line) if colour else line for line in self.diff.splitlines()] or [
            "  (no file was changed)"
        ]
        now = f"The verifier ran the original tests: {len(self.passes_now)} pass, {len(self.fails_now)} fail."
        return "\n".join(
            [*heads, "", "Changed:", *diff, "", now if self.after else "The verifier was never asked.", ""]
        )

    def _repr_html_(self) -> str:
        failed = "".join(
            f"<li><code>{escape(visible(each['test']))}</code><br><small>{escape(visible(_first(each['error'])))}</small></li>"
            for each in self.failed_before
        )
        diff = "".join(map(_html_line, self.diff.splitlines())) or "no file was changed"
        passed = "".join(f"<li><code>{escape(visible(name))}</code></li>" for name in self.passes_now)
        mark = "✔ verified" if self.verified else "✖ not verified"
        return (
            f"{STYLE}<div class='pl-evidence'><strong>{mark}</strong>"
            f"<h4>Failed before ({len(self.failed_before)})</h4><ul>{failed or '<li>nothing</li>'}</ul>"
            f"<h4>Changed</h4><pre>{diff}</pre>"
            f"<details><summary>Passes now ({len(self.passes_now)} tests)</summary><ul>{passed}</ul></details></div>"
        )

    def __repr__(self) -> str:
        return (
            f"<Evidence: {'verified' if self.verified else 'not verified'}, {len(self.failed_before)} failed before, "
            f"{len(self.passes_now)} pass now>"
        )


STYLE = """<style>
.pl-evidence{font:13px/1.45 var(--jp-ui-font-family,system-ui,sans-serif);color:var(--jp-ui-font-color1,#1b1b1b);
 max-width:980px;border:1px solid var(--jp-border-color2,#cfcfcf);border-radius:8px;padding:10px 14px;margin:4px 0}
.pl-evidence h4{margin:10px 0 2px;font-size:13px}.pl-evidence ul{margin:2px 0;padding-left:20px}
.pl-evidence code{background:none;color:inherit}
.pl-evidence pre{overflow-x:auto;font:12px/1.4 var(--jp-code-font-family,monospace);color:inherit;padding:6px 8px;
 background:var(--jp-layout-color2,#f4f4f4);border-radius:4px;margin:2px 0}
.pl-evidence .a{display:block;background:rgba(0,158,115,.18)}.pl-evidence .d{display:block;background:rgba(213,94,0,.18)}
.pl-evidence .h{display:block;color:var(--jp-ui-font-color2,#555)}.pl-evidence .s{display:block}
</style>"""


def _html_line(line: str) -> str:
    kind = "h" if line.startswith(("+++", "---", "@@")) else {"+": "a", "-": "d"}.get(line[:1], "s")
    return f"<span class='{kind}'>{escape(visible(line)) or ' '}</span>"


def _coloured(line: str) -> str:
    code = COLOURS.get(line[:1])
    return f"\033[{code}m{line}\033[0m" if code and not line.startswith(("+++", "---")) else line


def _first(text: str) -> str:
    line = text.strip().splitlines()[0] if text.strip() else ""
    return line if len(line) <= 160 else line[:159] + "…"


def diff_of(old: Path, new: Path) -> str:
    """A unified diff between two folders, text files line by line."""
    before, after = _contents(old), _contents(new)
    parts = []
    for path in sorted(before.keys() | after.keys()):
        first, second = before.get(path, b""), after.get(path, b"")
        if first != second:
            parts += difflib.unified_diff(
                _lines(first), _lines(second), f"a/{path}", f"b/{path}", lineterm=""
            )
    return "\n".join(parts)


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", errors="replace").splitlines()
