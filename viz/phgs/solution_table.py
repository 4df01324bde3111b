"""The solutions of a path as a table."""

from __future__ import annotations

import numpy as np
import pandas as pd

from learners.evaluation.metrics import jaccard, shd
from learners.graphs.cpdag import v_structures
from learners.graphs.graph import PDAG
from learners.phgs.alpha_steps import AlphaSteps, path_of
from learners.results.result import LearnResult

from .words import Solutions, format_level, format_score, score_name


def solution_table(
    result: LearnResult, steps: AlphaSteps, solutions: Solutions, truth: PDAG | None = None
) -> pd.DataFrame:
    """Return one row per solution, the densest first; ``step`` counts from 1.

    Columns: step, a star at the chosen solution, alpha, edges, directed, v-structures, fits a DAG (PATH only), score,
    difference of the score from the solution before, SHD and JI if the truth is known.
    """
    path, p, name = path_of(result).path, len(result.names), score_name(result)
    gains = np.diff(path.scores, prepend=np.nan)
    rows = []
    for step, (log_alpha, valid, score) in enumerate(zip(path.log_alphas, path.valid, path.scores, strict=True)):
        graph = steps.at(step, p)
        row = {
            "step": step + 1,
            "": "★" if step == path.choice else "",
            "alpha": format_level(float(log_alpha)),
            "edges": graph.n_edges,
            "directed": len(graph.directed_edges()),
            "v-structures": len(v_structures(graph)),
            "fits a DAG": "yes" if valid else "no",
            name: format_score(float(score)),
            "Δ": _signed(float(gains[step])),
        }
        if truth is not None:
            row |= {"SHD": shd(graph, truth), "JI": round(jaccard(graph, truth), 3)}
        rows.append(row)
    table = pd.DataFrame(rows)
    return table.drop(columns="fits a DAG") if solutions.begin_search else table


def _signed(value: float) -> str:
    return "" if np.isnan(value) else ("+" if value > 0 else "") + format_score(value)
