"""Command line: ``python -m learners learn data.csv --learner pc --alpha 0.01 --out graph.json``."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence

from .command_line.learner_list import described
from .command_line.terminal import answer, collect_garbage_rarely, discard_output
from .common.errors import LearnersError, ParameterError
from .common.version import __version__
from .families.catalogue import LEARNERS

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None, *, prog: str = "python -m learners", epilog: str = "") -> int:
    """Run a command of the command line and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments. Default: those of the process.
    prog, epilog : str
        Name of the command in the help, and last paragraph of the help.

    Returns
    -------
    int
        0; 1 if a recipe gave another result; 2 for invalid input; 130 if interrupted.
    """
    if sys.stderr is None:  # standard error is closed: discard messages
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # for a terminal that supports only ASCII
    words = sys.argv[1:] if argv is None else list(argv)
    options, rest = _parser(prog, epilog, words).parse_known_args(words)
    try:
        if rest and options.command != "learn":
            raise ParameterError(f"{options.command} takes no options, got {' '.join(rest)}; remove them")
        if options.command == "list":
            return _list()
        if options.command == "warm-up":
            from .workers.warm_up import warm_up

            warm_up(behind=options.behind)
            return 0
        return options.run_command(options, rest)
    except BrokenPipeError:
        discard_output()  # the reader, such as `head`, has closed the pipe
        return 0
    except (LearnersError, OSError) as error:
        sys.stderr.write(f"edgewise: {error}\n")
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        sys.stderr.write("\nedgewise: interrupted; nothing was written\n")
        return EXIT_INTERRUPTED


def _parser(prog: str, epilog: str, words: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser; import the options of commands that read tables only if `words` name one."""
    about = "Learn the structure of Bayesian networks from data."
    parser = argparse.ArgumentParser(prog=prog, description=about, epilog=epilog)
    parser.add_argument("--version", action="version", version=f"edgewise {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="list the learners and their parameters")
    warm = commands.add_parser("warm-up", help="compile all kernels in advance")
    warm.add_argument("--behind", action="store_true", help="compile at low priority, until the parent process ends")
    learn = commands.add_parser(
        "learn",
        help="learn a graph from a table",
        epilog="Each parameter of the learner is an option, see the list command.",
        allow_abbrev=False,
    )
    run = commands.add_parser("run", help="repeat a run from its recipe and compare the results")
    if {"learn", "run"} & set(words):
        from .command_line.commands import add_learn_options, add_run_options

        add_learn_options(learn)
        add_run_options(run)
    return parser


def _list() -> int:
    for learner in LEARNERS.values():
        answer(described(learner))
    return 0


if __name__ == "__main__":
    collect_garbage_rarely()
    sys.exit(main())
