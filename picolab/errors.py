"""What can go wrong, in two kinds: what the model may fix, and what ends a run.

This module does not know who raises these or who catches them.
"""

STATES = ("completed", "blocked", "needs_user", "budget_exhausted", "failed")
"""Every run ends in exactly one of these stop states."""


class PicolabError(Exception):
    """A mistake that a person must mend; the message says how."""


class ToolError(Exception):
    """A failure the model can act on: it becomes a tool result marked as an error, in one line."""


class ModelError(Exception):
    """A model call that gave no reply: the provider failed, or answered with something that is not a reply."""

    def __init__(self, reason: str, *, retry: bool = False, wait: float | None = None):
        super().__init__(reason)
        self.retry = retry
        """Whether the same request may succeed later."""
        self.wait = wait
        """Seconds that the provider asks to be left alone for; None if it did not say."""


class Stop(Exception):
    """Ends a run in a stop state; raised anywhere below the loop, caught once above it."""

    state = "failed"

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


class Blocked(Stop):
    """The agent cannot go on, and knows why."""

    state = "blocked"


class NeedsUser(Stop):
    """The agent cannot go on without an answer from a person."""

    state = "needs_user"


class BudgetExhausted(Stop):
    """A limit on steps, attempts, tokens, time or money was reached."""

    state = "budget_exhausted"


class Failed(Stop):
    """The run broke, or its answer was never accepted."""

    state = "failed"
