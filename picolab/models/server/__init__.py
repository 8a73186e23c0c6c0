"""A server for lessons and tests: it speaks three wire formats in front of any model, and misbehaves on command.

The SDKs cannot tell it from a provider. So a lesson runs the code that would run with a key, without one.
"""

from picolab.models.server.serving import Server, serving

__all__ = ["Server", "serving"]
