"""A few learners on one table: rows kept aside, resamples and agreement, as a table and in sentences."""

from __future__ import annotations

import numpy as np
import pandas as pd

from learners.choosing.trial import Trial, Tried
from learners.registry import LEARNERS

from ..text import count, format_share

ASIDE, STABLE, AGREES = "rows aside, nats a row", "stability", "agreement"
EXPLAINED = {
    ASIDE: "ln of the likelihood of rows that the learner did not see, beyond that of no edges; higher is better",
    STABLE: "Mean Jaccard index of its graphs on resamples and on all rows; 1: always the same",
    AGREES: "Mean Jaccard index of its graph and those of the others, directions included",
}


def trial_table(found: Trial) -> pd.DataFrame:
    """A row for each learner."""
    others = found.agreement - np.eye(len(found.tried))
    return pd.DataFrame(
        {
            "learner": [LEARNERS[one.key].label for one in found.tried],
            ASIDE: [one.aside - found.base for one in found.tried],
            STABLE: [one.stability for one in found.tried],
            AGREES: others.sum(axis=1) / max(len(found.tried) - 1, 1) if len(found.tried) > 1 else np.nan,
            "edges": [one.result.graph.n_edges for one in found.tried],
            "seconds": [one.result.seconds for one in found.tried],
        }
    )


def trial_sentences(found: Trial) -> list[str]:
    """Which foretells best, which is steadiest, and how far they agree."""
    best = _best(found, [one.aside for one in found.tried])
    foretell = "foretells" if len(best) == 1 else "foretell"
    told = [
        f"{_names(best)} {foretell} the {count(found.rows_aside, 'row')} kept aside best: "
        f"{best[0].aside - found.base:+.3f} nats a row beyond no edges at all."
    ]
    if all(one.resamples for one in found.tried):
        steady = _best(found, [one.stability for one in found.tried])
        are, times = "is" if len(steady) == 1 else "are", count(len(steady[0].resamples), "resample")
        index = format_share(steady[0].stability)
        told.append(f"{_names(steady)} {are} the steadiest on {times}: Jaccard index {index}.")
    if len(found.tried) > 1:
        joined = found.consensus.joined
        every, some = (int(np.triu(one, 1).sum()) for one in (joined >= 1.0, joined > 0.0))
        told.append(f"Of {count(some, 'pair')} that any of them joins, all join {every:,}.")
    return told if found.complete else [*told, "Cancelled: what was done until then counts."]


def _best(found: Trial, values: list[float]) -> list[Tried]:
    """Those with the highest value, as it is shown."""
    shown = np.round(values, 3)
    return [one for one, value in zip(found.tried, shown, strict=True) if value == shown.max()]


def _names(tried: list[Tried]) -> str:
    *others, last = (LEARNERS[one.key].label for one in tried)
    return f"{', '.join(others)} and {last}" if others else last
