"""What the server can do wrong, each on one request."""

from dataclasses import dataclass
from typing import Any

from picolab.errors import PicolabError

FAULTS = {
    "401": "the key is not accepted",
    "429": "too many requests; a number after a colon is the retry-after, in seconds",
    "500": "the provider broke",
    "529": "the provider is overloaded",
    "cut": "the stream ends in the middle of the reply, without a word",
    "error-event": "the stream reports an overload in the middle of the reply",
    "truncated": "the reply is cut off at its token limit, in the middle of a call's arguments",
    "slow": "the first byte takes as many seconds as stand after the colon",
    "wrong-json": "a call's arguments are not JSON",
    "no-usage": "the reply does not say how many tokens it used",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One of `FAULTS`, with its number."""

    kind: str = ""
    seconds: float | None = None


def fault(text: str | None) -> Fault:
    """The fault that a text like "429:0.5" names; none for None.

    Raises:
        PicolabError: there is no such fault; the message lists them.
    """
    if text is None:
        return Fault()
    kind, _, number = text.partition(":")
    try:
        seconds = float(number) if number else None
    except ValueError:
        seconds = -1.0
    if kind not in FAULTS or (seconds is not None and not seconds >= 0):
        known = "\n".join(f"  {name:<12}{what}" for name, what in FAULTS.items())
        raise PicolabError(f"there is no fault {text!r}; there are\n{known}")
    return Fault(kind, seconds)


STATUS = {
    "401": (401, "authentication_error", "invalid key"),
    "429": (429, "rate_limit_error", "too many requests"),
    "500": (500, "api_error", "internal error"),
    "529": (529, "overloaded_error", "overloaded"),
}


def refusal(wanted: Fault, anthropic: bool) -> tuple[int, dict[str, Any], dict[str, str]] | None:
    """Status, body and headers of an answer that is no reply at all; None where the fault is of another kind."""
    if wanted.kind not in STATUS:
        return None
    status, kind, words = STATUS[wanted.kind]
    error = {"type": kind, "message": words}
    body = (
        {"type": "error", "error": error} if anthropic else {"error": error | {"code": kind, "param": None}}
    )
    seconds = wanted.seconds if wanted.kind == "429" else None
    return status, body, {} if seconds is None else {"retry-after": f"{seconds:g}"}
