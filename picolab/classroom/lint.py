"""`picolab lint`: what a machine can see of a lesson's shape. Each finding says where, what, and what to do."""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from picolab.classroom import course
from picolab.classroom.course import Module


@dataclass(frozen=True)
class Finding:
    """One thing that is not as it should be."""

    where: str
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.rule}: {self.message}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("modules", nargs="*", help="numbers of modules; all of them if none is given")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(args: argparse.Namespace) -> int:
    wanted = [course.module(each) for each in args.modules] or course.modules()
    findings = [finding for module in wanted for finding in lint(module)]
    if args.json:
        print(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False, indent=2))
    else:
        for finding in findings:
            print(finding)
        print(f"{len(findings)} findings" if findings else f"{len(wanted)} modules are in shape")
    return 1 if findings else 0


def lint(module: Module) -> Iterator[Finding]:
    """Every finding in one module."""
    from picolab.classroom import lint_exercises, lint_files, lint_lesson

    for rules in (lint_lesson, lint_exercises, lint_files):
        for rule in rules.RULES:
            for where, message in rule(module):
                yield Finding(f"course/{module.stem}/{where}", rule.__name__, message)
