"""Middleware: what wraps model calls and tool calls."""

from picolab.middleware.base import Middleware

__all__ = ["Middleware"]
