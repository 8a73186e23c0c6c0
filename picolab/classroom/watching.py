"""A pytest plugin for graded notebooks: writes down what each cell did, and stops what got out of hand.

It knows nbval's items by three attributes (`cell`, `test_outputs`, `parent.kernel`) and is the only module that does.
"""

import json
import os
import threading
from typing import Any

import psutil
import pytest

LOG, MOST_KERNEL, MOST_OUTPUT = "PICOLAB_CELL_LOG", 1_500 * 1024**2, 500 * 1024**2


def _write(record: dict[str, Any]) -> None:
    with open(os.environ[LOG], "a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    _write({"cell": _id(item), "event": "started"})
    threading.Thread(target=_watch, args=(item.parent,), daemon=True).start()
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item, nextitem):
    if nextitem is None or nextitem.parent is not item.parent:
        _ended.set()  # the kernel is about to go, as it should


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call":
        outputs = [_plain(output) for output in item.test_outputs or []]
        _write(
            {
                "cell": _id(item),
                "event": "done",
                "outcome": report.outcome,
                "outputs": outputs,
                "why": str(call.excinfo and call.excinfo.value)[:2000],
            }
        )
    return report


def _id(item) -> str:
    return item.cell.get("id", "")


def _plain(output) -> dict[str, Any]:
    kept = {"kind": output.output_type}
    for name in ("name", "text", "ename", "evalue"):
        if name in output:
            kept[name] = output[name][:100_000]
    if "traceback" in output:
        kept["traceback"] = "\n".join(output.traceback)[-5000:]
    return kept


_watched: list[Any] = []
_ended = threading.Event()


def _watch(notebook) -> None:
    """Leave at once when the kernel died, or it or its output grew too large: a wait would only end in a time-out."""
    if _watched:
        return
    _watched.append(notebook)
    own = psutil.Process()
    while not _ended.wait(0.2):
        manager = getattr(notebook.kernel, "km", None)
        if manager is None or getattr(manager, "provisioner", None) is None:
            continue
        pid = getattr(manager.provisioner, "pid", None)
        if pid is None or not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            if not _ended.wait(0.5):
                _leave("died")
            return
        if _memory(pid) > MOST_KERNEL:
            _leave("memory")
        if own.memory_info().rss > MOST_OUTPUT:
            _leave("output")


def _memory(pid: int) -> int:
    try:
        kernel = psutil.Process(pid)
        return sum(each.memory_info().rss for each in (kernel, *kernel.children(recursive=True)))
    except psutil.Error:
        return 0


def _leave(why: str) -> None:
    _write({"cell": "", "event": why})
    os._exit(70)
