"""Probabilities of one table under several structure priors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from learners.common.sentences import Count, Edge, Listed, Phrase, phrase, say
from learners.families.averaging.settings import PRIOR
from learners.sweeping.priors import PriorDifference

from ..text import ARROWS, format_share, shorten

MAX_ROWS = 500
MIN_DIFFERENCE = 0.005  # smaller differences are invisible with two decimals
DIFFERENCE = "difference"


def prior_table(found: PriorDifference, names: Sequence[str]) -> pd.DataFrame:
    """Return a row for each pair and each arrow whose probability depends on the prior, the largest difference first.

    Columns: edge, P under each prior, and the largest difference.
    """
    edges, arrows = found.of_edges, found.of_arrows
    rows = [
        _row(found, "undirected", i, j, edges, names)
        for i, j in np.argwhere(np.triu(edges, 1) >= MIN_DIFFERENCE).tolist()
    ]
    rows += [_row(found, "forward", i, j, arrows, names) for i, j in np.argwhere(arrows >= MIN_DIFFERENCE).tolist()]
    table = pd.DataFrame(rows, columns=["edge", *map(PRIOR.word, found.posteriors), DIFFERENCE])
    return table.sort_values(DIFFERENCE, ascending=False, kind="stable", ignore_index=True)[:MAX_ROWS]


def _row(found: PriorDifference, mark: str, i: int, j: int, difference: np.ndarray, names: Sequence[str]) -> dict:
    each = {
        PRIOR.word(prior): float((one.directed if mark == "forward" else one.adjacent)[i, j])
        for prior, one in found.posteriors.items()
    }
    edge = f"{shorten(names[i])} {ARROWS[mark]} {shorten(names[j])}"
    return {"edge": edge, **each, DIFFERENCE: float(difference[i, j])}


def prior_sentence(found: PriorDifference, names: Sequence[str]) -> Phrase:
    """Return a sentence on the dependence of the probabilities on the prior."""
    edges = np.triu(found.of_edges, 1)
    i, j = np.unravel_index(edges.argmax(), edges.shape)
    shares = [
        say("{share} (uniform over {what})", share=format_share(float(one.adjacent[i, j])), what=say(PRIOR.word(prior)))
        for prior, one in found.posteriors.items()
    ]
    return phrase(
        "The prior matters most for P of {pair}: {shares}. It changes P by 0.05 or more for {changed} of {n}, and P of "
        "an arrow by at most {most}.",
        names,
        pair=Edge(int(i), "undirected", int(j)),
        shares=Listed(shares, ", ", " and "),
        changed=Count(int((edges >= 0.05).sum()), "pair"),
        n=len(names) * (len(names) - 1) // 2,
        most=format_share(float(found.of_arrows.max())),
    )
