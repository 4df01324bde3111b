"""Wins and losses of the recommended learner beside other programs: ``python -m benchmarks wins``."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from .archive import stored_rows
from .experiment import Piece, label
from .held_out import ALL, CELLS, HELD_OUT, KINDS_OF_PEER, PEERS, PROGRAMS, RECOMMENDED


def wins(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a line for each cell: mean JI of the recommended learner, of BOSS and of the best peer, with errors.

    The columns are `cell`, `recommended`, `error`, `boss`, `peer`, `peer_ji`, `difference` and `difference_error`: the
    mean of recommended minus peer over the samples, and the standard errors of the means. The best peer of a cell is
    the one with the highest mean, which favours peers.
    """
    rows = rows[rows["metric"] == "JI"]
    peers = {one.name for _, one in PEERS}
    lines = []
    for cell in CELLS:
        values = {
            one.name: _of_cell(rows, cell, one.name)
            for one in PROGRAMS
            if cell["kind"] in KINDS_OF_PEER.get(one.name, ALL)
        }
        if not len(values[RECOMMENDED]):
            continue
        best = max((name for name in values if name in peers), key=lambda name: values[name].fillna(0.0).mean())
        apart = (values[RECOMMENDED] - values[best].fillna(0.0)).dropna()
        lines.append(
            {
                "cell": label(cell),
                "recommended": values[RECOMMENDED].mean(),
                "error": values[RECOMMENDED].sem(),
                "boss": values["boss"].mean(),
                "peer": best,
                "peer_ji": values[best].fillna(0.0).mean(),
                "difference": apart.mean(),
                "difference_error": apart.sem(),
            }
        )
    return pd.DataFrame(lines)


def _of_cell(rows: pd.DataFrame, cell: Piece, name: str) -> pd.Series:
    """Return the values of a program in a cell, by seed."""
    start = f"{label(cell)} program={name} seed="
    found = rows[rows["piece"].str.startswith(start)]
    return found.assign(seed=found["piece"].str[len(start) :].astype(int)).set_index("seed")["value"].sort_index()


def main(_argv: Sequence[str] | None = None) -> None:
    """Print the wins and losses of the stored rows as a table in Markdown."""
    table = wins(stored_rows(HELD_OUT.name))
    print("| cell | recommended | BOSS | best peer | its JI | difference |")
    print("|---|--:|--:|---|--:|--:|")
    for line in table.itertuples():
        print(
            f"| {line.cell} | {line.recommended:.3f} ± {line.error:.3f} | {line.boss:.3f} | {line.peer} "
            f"| {line.peer_ji:.3f} | {line.difference:+.3f} ± {line.difference_error:.3f} |"
        )
    ahead, behind = (table["difference"] > 0).sum(), (table["difference"] < 0).sum()
    sure = (table["difference"].abs() > 2 * table["difference_error"]) & (table["difference"] < 0)
    print(f"\n{ahead} of {len(table)} cells ahead, {behind} behind, {sure.sum()} of these by over two standard errors.")
