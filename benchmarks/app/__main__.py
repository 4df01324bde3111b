"""Benchmarks of the app: ``python -m benchmarks.app NAME`` with one of the names below."""

from __future__ import annotations

import argparse
from importlib import import_module

NAMES = ("watched", "cancel", "memory", "load", "estimates", "first_paint", "classroom", "what_if", "words")


def main(argv: list[str] | None = None) -> None:
    """Run one measurement and print its table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.app", description=__doc__)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("words", nargs="*", help="which cases; default: all")
    arguments = parser.parse_args(argv)
    import_module(f"benchmarks.app.{arguments.name}").main(arguments.words)


if __name__ == "__main__":
    main()
