"""From a provider's error to a ModelError: what went wrong, whether to try again, and after how long.

The SDKs share the shape of their errors, so this needs neither of them.
"""

import re
from typing import Any

from picolab.errors import ModelError

PASSING = {408, 409, 429}
"""Status codes below 500 after which the same request may succeed."""
PASSING_KINDS = {"overloaded_error", "api_error", "rate_limit_error", "timeout_error", "server_error"}
KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY", "openai-chat": "OPENAI_API_KEY"}


def model_error(error: Exception, name: str, secret: str | None = None) -> ModelError:
    """The ModelError for an exception of an SDK.

    Args:
        name: the model, as `provider:name`.
        secret: a key that must not be in the message, wherever the server repeats it.
    """
    status = getattr(error, "status_code", None)
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    kind = getattr(error, "type", None)
    words = " ".join(str(getattr(error, "message", None) or error).split()) or type(error).__name__
    words = re.sub(rf"^(Error code: )?{status}( -)? ", "", words) if status else words
    if secret:
        words = words.replace(secret, "[key]")
    where = f"{status} " if status and status != 200 else ""
    reason = f"{name}: {where}{words[:300]}{_advice(status, name)}"
    return ModelError(reason, retry=_passes(status, kind, headers), wait=_wait(headers))


def cut_stream(name: str, got: str) -> ModelError:
    """The stream ended before the provider said that it was complete."""
    return ModelError(f"{name}: the stream was cut {got}; nothing of it is kept", retry=True)


def _passes(status: int | None, kind: str | None, headers: Any) -> bool:
    if (said := headers.get("x-should-retry")) in ("true", "false"):
        return said == "true"
    if status == 200 or status is None:
        return status is None or kind in PASSING_KINDS
    return status in PASSING or status >= 500


def _wait(headers: Any) -> float | None:
    """Seconds, from `retry-after-ms` or a `retry-after` in seconds; None for anything else, dates included."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        if re.fullmatch(r"\d+(\.\d+)?", value := (headers.get(name) or "").strip()):
            return float(value) / scale
    return None


def _advice(status: int | None, name: str) -> str:
    key = KEYS[name.partition(":")[0]]
    return {
        401: f". Check {key}: the key was not accepted",
        403: f". The key in {key} may not do this",
        404: ". The model may be gone: see `picolab models`",
    }.get(status or 0, "")
