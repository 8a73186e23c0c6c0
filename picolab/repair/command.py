"""`picolab repair PATH`: a fresh copy, the agent, the verifier, and the evidence."""

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
from pathlib import Path

from picolab.agent import Agent, Outcome
from picolab.budgets import Budget
from picolab.errors import Blocked, PicolabError
from picolab.models.base import Model
from picolab.permissions import Permissions
from picolab.repair.evidence import Evidence, diff_of
from picolab.tools.base import Tool, tool
from picolab.tools.files import file_tools
from picolab.tools.tests import test_tool
from picolab.verify import PytestVerifier, run_tests
from picolab.workspace import Workspace, copy_of

TASK = (
    "The tests of this repository broke after one of its dependencies was updated. Find out what changed, adapt the code "
    "that uses it, and make the tests pass. Do not change the tests, their configuration, or the dependency."
)
BUDGET = Budget(steps=600, seconds=900)


@tool(max_payload=100_000)
async def report_blocked(reason: str) -> str:
    """Stop, because there is no way on, and say why and what would be needed."""
    raise Blocked(reason)


def repair_tools(workspace: Workspace) -> list[Tool]:
    """Everything that a repairing agent may use."""
    return [*file_tools(workspace), test_tool(workspace), report_blocked]


async def repair(
    path: str | Path,
    *,
    model: Model | None = None,
    into: str | Path | None = None,
    trace: str | Path | None = None,
    budget: Budget = BUDGET,
) -> tuple[Outcome, Evidence]:
    """Repair a copy of a repository; the original is only read.

    Args:
        path: a folder whose tests run with `python -m pytest`.
        model: what decides; the repairing policy if nothing is said.
        into: a folder, new or empty, that receives the repaired copy once it is verified.
        trace: a file for the trace.

    Returns:
        The outcome of the run, `completed` only if the verifier saw the original tests pass; and the evidence.

    Raises:
        PicolabError: the path is no repository that can be copied, or `into` is not empty.
    """
    from picolab.repair.policy import repairer

    _check_target(into, path)
    folder = tempfile.mkdtemp(prefix="picolab-repair-")
    try:
        workspace = copy_of(path, Path(folder) / Path(path).resolve().name)
        pristine = copy_of(path, Path(folder) / "original" / Path(path).resolve().name)
        before = await run_tests(pristine.root)
        verifier = PytestVerifier(pristine.root, workspace, before)
        tools = repair_tools(workspace)
        agent = Agent(
            model or repairer(),
            tools,
            budget=budget,
            verify=verifier,
            middleware=[Permissions(allow=[each.name for each in tools])],
            trace=trace,
        )
        outcome = await agent.ask(TASK)
        after = outcome.verdict.evidence if outcome.verdict else None
        evidence = Evidence(
            outcome.state == "completed", before, after, diff_of(pristine.root, workspace.root)
        )
        if into and evidence.verified:
            _keep(workspace.root, Path(into))
        return outcome, evidence
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _check_target(into: str | Path | None, path: str | Path) -> None:
    if into is None:
        return
    target, source = Path(into).resolve(), Path(path).resolve()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise PicolabError(f"{into} is not an empty folder; name one that does not exist yet")
    if target == source or source in target.parents:
        raise PicolabError(f"{into} lies inside {path}, which is not to be touched; name a folder elsewhere")


def _keep(repaired: Path, target: Path) -> None:
    """Move the repaired copy to its place in one step, so that it is there whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    staged = target.parent / f".{target.name}.picolab-partial"
    shutil.rmtree(staged, ignore_errors=True)
    shutil.copytree(
        repaired, staged, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache")
    )
    if target.exists():
        target.rmdir()
    staged.rename(target)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", help="the folder of a repository whose tests run with python -m pytest")
    parser.add_argument("--into", metavar="DIR", help="keep the repaired copy here, once it is verified")
    parser.add_argument(
        "--trace", metavar="FILE", help="write the trace here (a temporary file if not given)"
    )
    parser.add_argument("--show", action="store_true", help="print the trace as a timeline")
    parser.add_argument("--json", action="store_true", help="print outcome, evidence and diff as JSON")


def run(args: argparse.Namespace) -> int:
    trace = args.trace or str(Path(tempfile.mkdtemp(prefix="picolab-trace-")) / "repair.jsonl")
    if not args.json:
        print(f"A fresh copy of {args.path} is being looked at …", flush=True)
    outcome, evidence = asyncio.run(repair(args.path, into=args.into, trace=trace))
    if args.json:
        print(json.dumps(_as_json(outcome, evidence, args, trace), ensure_ascii=False, indent=2))
    else:
        if args.show:
            print(outcome.trace.timeline(shutil.get_terminal_size((110, 40)).columns), "\n")
        print(evidence.as_text(colour=sys.stdout.isatty()))
        print(_summary(outcome, evidence, args, trace))
    return 0 if evidence.verified else 1


def _summary(outcome: Outcome, evidence: Evidence, args: argparse.Namespace, trace: str) -> str:
    lines = [
        f"state    {outcome.state}" + (", seen by the verifier" if evidence.verified else ""),
        f"spent    {outcome.steps} steps, {outcome.usage.input_tokens:,} tokens in, "
        f"{outcome.usage.output_tokens:,} out (estimated), {outcome.seconds:.1f} s",
        f"trace    {trace}   (picolab show {trace})",
    ]
    if args.into:
        lines.append(
            f"copy     {args.into}"
            if evidence.verified
            else "copy     not kept, because nothing was verified"
        )
    said = outcome.answer if evidence.verified else outcome.reason
    return "\n".join([said, "", *lines])


def _as_json(outcome: Outcome, evidence: Evidence, args: argparse.Namespace, trace: str) -> dict:
    """The stable form of a repair: add to it, and take nothing away."""
    return {
        "schema": 1,
        "state": outcome.state,
        "verified": evidence.verified,
        "answer": outcome.answer,
        "reason": outcome.reason,
        "failed_before": evidence.failed_before,
        "passes_now": evidence.passes_now,
        "fails_now": evidence.fails_now,
        "diff": evidence.diff,
        "steps": outcome.steps,
        "tokens": {"input": outcome.usage.input_tokens, "output": outcome.usage.output_tokens},
        "seconds": round(outcome.seconds, 3),
        "trace": str(trace),
        "into": args.into if evidence.verified else None,
    }
