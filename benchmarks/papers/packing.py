"""Pack the rows of all experiments and write the tables of the app: ``python -m benchmarks pack``."""

from __future__ import annotations

from collections.abc import Sequence

from . import publishing
from .archive import archive_of, has_rows, pack, stored_rows
from .catalogue import EXPERIMENTS, PAPERS


def main(_argv: Sequence[str] | None = None) -> None:
    """Pack the rows of every paper, then write the tables that the Experiments page shows."""
    for paper in PAPERS:
        pack(paper)
        print(f"{archive_of(paper).name}: {archive_of(paper).stat().st_size:,} bytes")
    publishing.publish({name: stored_rows(name) for name in EXPERIMENTS if has_rows(name)})
