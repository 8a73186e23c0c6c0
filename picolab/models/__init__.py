"""Models: anything that answers a request with a reply."""

from picolab.models.base import Model, Request
from picolab.models.catalogue import connect
from picolab.models.flaky import flaky
from picolab.models.policy import call, policy, say_and_call
from picolab.models.script import script

__all__ = ["Model", "Request", "call", "connect", "flaky", "policy", "say_and_call", "script"]
