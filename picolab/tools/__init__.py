"""Tools: what a model may ask the harness to do."""

from picolab.tools.base import Tool, tool

__all__ = ["Tool", "tool"]
