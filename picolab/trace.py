"""The trace of a run: every event, in order, in memory and on disk as it happens."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from picolab.errors import PicolabError
from picolab.events import Event, ModelReplied, RunStopped, from_json, to_json


class Trace:
    """Events of one run. With a path, each is written as one JSON line at once, so that a killed run leaves its trace.

    Raises:
        PicolabError: the path cannot be written.
    """

    def __init__(self, path: str | Path | None = None, events: Iterable[Event] = ()):
        self.events: list[Event] = list(events)
        self.torn = False
        """Whether the last line on disk was cut short, as when the writer was killed."""
        self.path = None if path is None else Path(path)
        self._file: IO[str] | None = None
        self.append = self.events.append if path is None else self._append_and_write

    def _append_and_write(self, event: Event) -> None:
        """Keep an event, and write it before anything else happens."""
        self.events.append(event)
        if self._file is None:
            self._file = self._open()
        self._file.write(to_json(event) + "\n")
        self._file.flush()

    def _open(self) -> IO[str]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return self.path.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise PicolabError(f"the trace cannot be written to {self.path}: {error.strerror}") from None

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> "Trace":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    def save(self, path: str | Path) -> Path:
        """Write all events to a file; returns its path."""
        with Trace(path) as copy:
            for event in self.events:
                copy.append(event)
        return Path(path)

    @classmethod
    def load(cls, path: str | Path) -> "Trace":
        """Read a trace. A last line that was cut short is left out, and `torn` says so.

        Raises:
            PicolabError: no such file, or a line that is not an event.
        """
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise PicolabError(f"there is no trace to read at {path}: {error}") from None
        whole, _, rest = text.rpartition("\n")
        trace = cls(events=[from_json(line) for line in whole.split("\n") if line])
        trace.torn = bool(rest)
        return trace

    @property
    def stop(self) -> RunStopped | None:
        """How the run ended; None while it runs, or when it was killed."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, RunStopped) else None

    def tokens_per_call(self) -> list[int]:
        """Input tokens of each model call, in order."""
        return [event.reply.usage.input_tokens for event in self.events if isinstance(event, ModelReplied)]

    def timeline(self, width: int = 100) -> str:
        """The run as text: one line an event, for a terminal."""
        from picolab.timeline import as_text

        return as_text(self, width)

    def __repr__(self) -> str:
        stop = self.stop
        return f"<Trace of {len(self.events)} events, {stop.state if stop else 'not stopped'}>"

    def _repr_html_(self) -> str:
        from picolab.timeline import as_html

        return as_html(self)
