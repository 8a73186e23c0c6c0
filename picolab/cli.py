"""The `picolab` command: one word, then the module that answers to it."""

import argparse
import importlib
import sys

from picolab.errors import PicolabError

COMMANDS = {
    "repair": (
        "picolab.repair.command",
        "mend a Python repository whose tests broke after a dependency update",
    ),
    "show": ("picolab.trace_command", "print the trace of a run as a timeline"),
    "grade": ("picolab.classroom.grade", "grade your exercises"),
    "progress": ("picolab.classroom.progress", "show your points, and what to do next"),
    "reset": ("picolab.classroom.reset", "start exercises over; your work is archived"),
    "update": ("picolab.classroom.update", "bring your answers into the newest exercises"),
    "facts": ("picolab.calc.facts", "list every figure that the course computes"),
    "calc": ("picolab.calc.command", "compute one of those figures at other inputs"),
    "models": ("picolab.models.catalogue", "list the real models that are known, and their prices"),
    "doctor": ("picolab.classroom.doctor", "say what is right and wrong with this machine"),
    "lab": ("picolab.classroom.lab", "open JupyterLab at the start page"),
    "build": ("picolab.classroom.build", "make the notebooks from course/"),
    "lint": ("picolab.classroom.lint", "check the shape of lessons and exercises"),
}


def main(argv: list[str] | None = None) -> int:
    """Run one command; the exit status is 0 only when what was asked for holds, and 2 for a mistaken request."""
    argv = sys.argv[1:] if argv is None else argv
    if not argv or argv[0] not in COMMANDS:
        return _overview(argv)
    module = importlib.import_module(COMMANDS[argv[0]][0])
    parser = argparse.ArgumentParser(
        f"picolab {argv[0]}", description=COMMANDS[argv[0]][1].capitalize() + "."
    )
    module.add_arguments(parser)
    try:
        return module.run(parser.parse_args(argv[1:]))
    except PicolabError as error:
        print(f"picolab {argv[0]}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _overview(argv: list[str]) -> int:
    asked_for_help = not argv or argv[0] in ("-h", "--help", "help")
    out = sys.stdout if asked_for_help else sys.stderr
    if not asked_for_help:
        print(f"picolab has no command {argv[0]!r}.\n", file=out)
    print("usage: picolab COMMAND …   (picolab COMMAND --help says more)\n", file=out)
    for name, (_, summary) in COMMANDS.items():
        print(f"  {name:<10}{summary}", file=out)
    return 0 if asked_for_help else 2


if __name__ == "__main__":
    sys.exit(main())
