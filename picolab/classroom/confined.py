"""Runs one command with less: no network where that can be had, limited memory and file sizes, and nothing that outlives it.

`python -m picolab.classroom.confined MEGABYTES COMMAND …`, started by the grader inside `unshare` where there is one.
"""

import contextlib
import fcntl
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys

import psutil

UP_AND_RUNNING = 0x1 | 0x40


def namespaces() -> list[str]:
    """The command that gives a process a network and a process table of its own; empty where that cannot be had."""
    if not shutil.which("unshare"):
        return []
    for options in (["-rnpf", "--kill-child", "--mount-proc"], ["-rnpf", "--kill-child"], ["-rn"]):
        if subprocess.run(["unshare", *options, "true"], capture_output=True, check=False).returncode == 0:
            return ["unshare", *options]
    return []


def loopback_up() -> None:
    """Bring up the loopback of a fresh network namespace: a kernel talks to its notebook through it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        fcntl.ioctl(probe, 0x8914, struct.pack("16sh", b"lo", UP_AND_RUNNING))


def limit(megabytes: int) -> None:
    """Bound what each process may allocate and write."""
    import resource

    for what, most in (
        (resource.RLIMIT_AS, megabytes * 1024**2),
        (resource.RLIMIT_FSIZE, 200 * 1024**2),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


def end_all(process: psutil.Process) -> None:
    """Kill a process and everything it started."""
    with contextlib.suppress(psutil.Error):
        family = [*process.children(recursive=True), process]
        for each in family:
            with contextlib.suppress(psutil.Error):
                each.kill()
        psutil.wait_procs(family, timeout=3)


def _adopt_orphans() -> None:
    """Ask Linux to hand orphaned grandchildren to this process, so that they can be found and ended."""
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def main() -> int:
    """Run the command, end whatever it left behind, and give its exit status."""
    megabytes, command = int(sys.argv[1]), sys.argv[2:]
    loopback_up()
    _adopt_orphans()
    child = subprocess.Popen(command, preexec_fn=lambda: limit(megabytes))
    signal.signal(signal.SIGTERM, lambda *_: child.kill())
    status = child.wait()
    for left in psutil.Process(os.getpid()).children(recursive=True):
        end_all(left)
    return status


if __name__ == "__main__":
    sys.exit(main())
