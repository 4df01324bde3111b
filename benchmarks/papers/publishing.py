"""Tables of the Experiments page, computed from stored rows and written to the package that shows them."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pandas as pd

from viz.experiments.published import CATALOGUE, CLAIMS, RESULTS, VALUES, results_of

from .archive import versions
from .beside import compared, held
from .catalogue import PAPERS, experiments_of
from .experiment import Experiment
from .freshness import outdated

NUMBERS = ("ours", "spread", "networks", "paper", "paper's spread", "difference", "standard error")


def publish(rows: Mapping[str, pd.DataFrame]) -> None:
    """Write the catalogue and the tables of each paper, given the rows of the experiments by name."""
    RESULTS.mkdir(exist_ok=True)
    CATALOGUE.write_text(catalogue(), encoding="utf-8")
    for paper in PAPERS:
        tables(paper, rows).to_parquet(results_of(paper), compression="zstd", compression_level=19, index=False)


def catalogue() -> str:
    """Return papers and declarations of their experiments as JSON."""
    papers = {
        paper: {"title": title, "experiments": [_declaration(one) for one in experiments_of(paper)]}
        for paper, title in PAPERS.items()
    }
    return json.dumps(papers, ensure_ascii=False, indent=1) + "\n"


def tables(paper: str, rows: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the tables of a paper's experiments below each other, with the columns `experiment` and `table`."""
    parts = []
    for one in experiments_of(paper):
        if one.name in rows:
            for kind, table in ((VALUES, compared(one, rows[one.name])), (CLAIMS, held(one, rows[one.name]))):
                parts.append(table.assign(experiment=one.name, table=kind))
    together = pd.concat([part for part in parts if len(part)], ignore_index=True)
    return together.astype({name: float for name in NUMBERS if name in together})


def _declaration(one: Experiment) -> dict:
    return {
        "name": one.name,
        "what": one.what,
        "apart": one.apart,
        "curves": [[curve.y, curve.x, curve.log] for curve in one.curves],
        "claimed": list(dict.fromkeys(claim.metric for claim in one.claims)),
        "compares_programs": bool(one.programs),
        "remarks": list(one.remarks),
        "versions": versions(one.name),
        "outdated": outdated().get(one.name, []),
    }
