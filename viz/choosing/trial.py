"""Several learners on one table: predictions of held-out rows, stability and agreement."""

from __future__ import annotations

import numpy as np
import pandas as pd

from learners.choosing.trial import Trial, TrialRun
from learners.registry import LEARNERS

from ..text import count, format_share, with_minus

HELD_OUT, STABILITY, AGREEMENT = "held-out rows, nats a row", "stability", "agreement"
EXPLAINED = {
    HELD_OUT: "Log-likelihood of rows that the learner did not see, relative to the empty graph. Higher is better.",
    STABILITY: "Mean Jaccard index of the graphs on resamples and on all rows. 1 means always the same graph.",
    AGREEMENT: "Mean Jaccard index of this graph and the graphs of the other learners, directions included.",
}


def trial_table(found: Trial) -> pd.DataFrame:
    """Return one row per learner."""
    others = found.agreement - np.eye(len(found.tried))
    return pd.DataFrame(
        {
            "learner": [LEARNERS[tried.key].label for tried in found.tried],
            HELD_OUT: [tried.aside - found.base for tried in found.tried],
            STABILITY: [tried.stability for tried in found.tried],
            AGREEMENT: others.sum(axis=1) / max(len(found.tried) - 1, 1) if len(found.tried) > 1 else np.nan,
            "edges": [tried.result.graph.n_edges for tried in found.tried],
            "seconds": [tried.result.seconds for tried in found.tried],
        }
    )


def trial_sentences(found: Trial) -> list[str]:
    """Return the best predictor, the most stable learner, and the agreement, one sentence each."""
    best = _best(found, [tried.aside for tried in found.tried])
    predicts = "predicts" if len(best) == 1 else "predict"
    sentences = [
        f"{_names(best)} {predicts} the {count(found.rows_aside, 'held-out row')} best: "
        f"{with_minus(f'{best[0].aside - found.base:+.3f}')} nats a row compared with the empty graph."
    ]
    if all(tried.resamples for tried in found.tried):
        stable = _best(found, [tried.stability for tried in found.tried])
        verb, times = "is" if len(stable) == 1 else "are", count(len(stable[0].resamples), "resample")
        index = format_share(stable[0].stability)
        sentences.append(f"{_names(stable)} {verb} the most stable on {times}: Jaccard index {index}.")
    if len(found.tried) > 1:
        shares = found.consensus.joined
        every, some = (int(np.triu(hit, 1).sum()) for hit in (shares >= 1.0, shares > 0.0))
        sentences.append(f"All learners agree on {every:,} of {count(some, 'edge')} found by any of them.")
    return sentences if found.complete else [*sentences, "Cancelled: only the finished runs count."]


def _best(found: Trial, values: list[float]) -> list[TrialRun]:
    """Return the learners with the highest value after rounding."""
    shown = np.round(values, 3)
    return [tried for tried, value in zip(found.tried, shown, strict=True) if value == shown.max()]


def _names(tried: list[TrialRun]) -> str:
    *others, last = (LEARNERS[entry.key].label for entry in tried)
    return f"{', '.join(others)} and {last}" if others else last
