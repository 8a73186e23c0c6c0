"""`picolab calc ID name=value …`: a figure of the course at other inputs."""

import argparse
import json
from typing import Any

from picolab.calc.facts import _pretty, fact
from picolab.errors import PicolabError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the id of a figure; `picolab facts` lists them")
    parser.add_argument(
        "inputs", nargs="*", metavar="name=value", help="inputs that differ from the course's own"
    )
    parser.add_argument("--json", action="store_true", help="print id, inputs, value and unit as JSON")


def run(args: argparse.Namespace) -> int:
    figure = fact(args.id)
    changed = dict(_read(each) for each in args.inputs)
    value = figure.at(**changed)
    if args.json:
        print(
            json.dumps(
                {"id": figure.id, "inputs": figure.inputs | changed, "value": value, "unit": figure.unit}
            )
        )
    else:
        print(f"{_pretty(value)} {figure.unit}")
    return 0


def _read(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise PicolabError(f"{text!r} is not of the form name=value")
    cleaned = value.replace(",", "").replace("_", "")
    for kind in (int, float):
        try:
            return name, kind(cleaned)
        except ValueError:
            pass
    raise PicolabError(f"the value of {name} must be a number, not {value!r}")
