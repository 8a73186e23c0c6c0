"""Reading pytest's output: what failed, with which error, and through which lines of the repository."""

import re
from dataclasses import dataclass

FRAME = re.compile(
    r"^(?P<path>[^\s:][^:\n]*\.py):(?P<line>\d+):(?: in (?P<where>.+)|(?: (?P<error>\w+(?:\.\w+)*))?)$"
)
CLASSIC = re.compile(r'^\s*File "(?P<path>[^"]+)", line (?P<line>\d+), in (?P<where>.+)$')
RAISED = re.compile(
    r"^(?P<type>[A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt|Iteration)\b|[A-Z]\w*): ?(?P<message>.*)$"
)
HEADER = re.compile(r"^_{3,} (?P<name>.+?) _{3,}$")
COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed|xpassed)\b")
SECTION = re.compile(r"^={3,} (?P<name>[^=]+?) ={3,}$")


@dataclass(frozen=True, slots=True)
class Frame:
    """A line of a file that the error passed through, outermost first."""

    path: str
    line: int
    """Counted from 1."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed test, or one file that could not be collected."""

    test: str
    error: str
    """The exception's name without its module; AssertionError for a bare `assert`."""
    message: str
    frames: tuple[Frame, ...]

    @property
    def signature(self) -> tuple[str, str, Frame | None]:
        """What makes two failures the same problem."""
        return self.error, self.message, self.frames[-1] if self.frames else None


@dataclass(frozen=True, slots=True)
class Report:
    """One run of the tests."""

    status: int | None
    passed: int
    failures: tuple[Failure, ...]
    ran: int
    """Tests that ran, whatever came of them, and files that could not be collected."""
    output: str

    @property
    def ok(self) -> bool:
        return self.status == 0 and not self.failures

    @property
    def failed_tests(self) -> frozenset[str]:
        return frozenset(failure.test for failure in self.failures)


def read_report(output: str) -> Report:
    """The report in the output of the `run_tests` tool."""
    status = re.search(r"exit status (-?\d+)\s*$", output)
    counts = {"passed": 0, "failed": 0, "error": 0}
    for line in reversed(output.splitlines()):
        found = COUNT.findall(line)
        if found and re.search(r"\bin [\d.]+s", line):
            for number, what in found:
                counts[what.rstrip("s") if what.startswith("error") else what] = int(number)
            break
    ran = sum(counts.values())
    failures = tuple(_failures(output))
    return Report(int(status[1]) if status else None, counts["passed"], failures, ran, output)


def _failures(output: str) -> list[Failure]:
    found, name, block, inside = [], None, [], False
    for line in output.splitlines():
        section, header = SECTION.match(line), HEADER.match(line)
        if section:
            title = section["name"].strip()
            if name:
                found.append(_failure(name, block))
            name, block, inside = None, [], title in ("FAILURES", "ERRORS")
        elif header and inside:
            if name:
                found.append(_failure(name, block))
            name, block = header["name"], []
        else:
            block.append(line)
    if name:
        found.append(_failure(name, block))
    if not found and "conftest" in output and "Error" in output:
        found.append(_failure("conftest", output.splitlines()))
    return found


def _failure(name: str, block: list[str]) -> Failure:
    """A failure from its section; a traceback that a subprocess printed stands in for an assertion about it."""
    frames, errors = [], []
    captured = next((i for i, line in enumerate(block) if re.match(r"^-{3,} Captured ", line)), len(block))
    for line in block[:captured]:
        frame = FRAME.match(line) or CLASSIC.match(line)
        if frame:
            frames.append(Frame(frame["path"].replace("\\", "/"), int(frame["line"])))
        elif line.startswith("E ") or line == "E":
            errors.append(line[1:].strip())
    error, message = _raised(errors)
    shown = message.replace("\\n", "\n").splitlines()  # as a CompletedProcess shows its stderr
    inner = _subprocess_error(block[captured:]) or _subprocess_error(shown)
    if error == "AssertionError" and inner:
        return Failure(name, inner[0], inner[1], tuple(frames) + inner[2])
    return Failure(name, error, message, tuple(frames))


def _raised(lines: list[str]) -> tuple[str, str]:
    """The exception's name and message. What Python itself guesses ("Did you mean") goes by spelling alone and is left out."""
    error, message = _name_and_message(lines)
    return error, re.sub(r"\.? Did you mean:? .*$", "", message)


def _name_and_message(lines: list[str]) -> tuple[str, str]:
    for at, line in enumerate(lines):
        match = RAISED.match(line)
        if match and not line.startswith("assert"):
            rest = [more for more in lines[at + 1 :] if more]
            return match["type"].rpartition(".")[2], " ".join([match["message"], *rest]).strip()
        if re.match(r"^[A-Za-z_][\w.]*(Error|Exception|Warning)$", line):
            return line.rpartition(".")[2], " ".join(lines[at + 1 :])
    return "AssertionError", " ".join(lines)


def _subprocess_error(lines: list[str]) -> tuple[str, str, tuple[Frame, ...]] | None:
    """The last classic traceback in captured output."""
    frames, found = [], None
    for line in lines:
        frame = CLASSIC.match(line)
        if line.startswith("Traceback (most recent call last)"):
            frames = []
        elif frame:
            frames.append(Frame(frame["path"], int(frame["line"])))
        elif frames and (match := RAISED.match(line)):
            found = match["type"].rpartition(".")[2], match["message"], tuple(frames)
    return found
