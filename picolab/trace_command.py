"""`picolab show TRACE`: the timeline of a run."""

import argparse
import shutil

from picolab.trace import Trace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("trace", help="a trace file, one JSON event a line")
    parser.add_argument("--width", type=int, default=shutil.get_terminal_size((110, 40)).columns)


def run(args: argparse.Namespace) -> int:
    trace = Trace.load(args.trace)
    print(trace.timeline(max(40, args.width)))
    if trace.torn:
        print("  the last line of the file was cut short, and is left out")
    return 0
