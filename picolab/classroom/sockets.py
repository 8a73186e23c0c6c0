"""Kernels that talk through socket files: of two that start at once, neither can take a port the other has chosen.

As a pytest plugin (`-p picolab.classroom.sockets`) it does the same for the kernels of nbval.
"""

import functools
import socket
import tempfile
from pathlib import Path

LONGEST = 90
"""Bytes of path that every system allows the name of a socket file (Linux 107, macOS 103), less what is appended."""


def sockets_in(folder: str | Path) -> dict[str, str]:
    """Options for one KernelManager; none, which means TCP, where socket files do not exist or the path is too long."""
    path = str(Path(folder).resolve() / "kernel")
    if not hasattr(socket, "AF_UNIX") or len(path.encode()) > LONGEST:
        return {}
    return {"transport": "ipc", "ip": path}


def pytest_configure(config):
    import nbval.kernel

    folder = tempfile.TemporaryDirectory(prefix="picolab-")
    config.add_cleanup(folder.cleanup)
    nbval.kernel.KernelManager = functools.partial(nbval.kernel.KernelManager, **sockets_in(folder.name))
