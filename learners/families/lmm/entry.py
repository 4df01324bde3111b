"""The catalogue entry of LMM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...settings.learner import EVERY_KIND, Learner
from ...settings.needs import DefaultScore, dependence_for, the_data
from ...settings.reference import Reference
from .settings import LMM, LMM_PRESETS, SIZES_IN_ORDER

if TYPE_CHECKING:
    from ...data.dataset import Dataset

lmm = Reference("families.lmm.lmm", "lmm")

SECONDS_PER_PAIR = 3e-7  # measured with p from 200 to 2,500
SECONDS_PER_ROW = 6e-8
SECONDS_PER_EDGE = 1e-4
SETS_PER_EDGE = 150  # tests for each edge of categorical and mixed tables
SECONDS_PER_TEST, SECONDS_PER_TESTED_ROW = 3e-6, 4e-10


def cost_of_lmm(dataset: Dataset, *, max_size: int | None, gamma: float, **_others: Any) -> float:
    """Estimate the seconds of LMM: each pair is tested once, and each edge added or removed changes two of p rows."""
    from .lmm import EDGES_PER_VARIABLE

    p = dataset.p
    # With a threshold the run ends by itself; networks have a few edges for each variable.
    edges = min(EDGES_PER_VARIABLE * p if max_size is None or gamma > 0 else max_size, p * (p - 1) / 2)
    if dataset.kind != "continuous":
        test = SECONDS_PER_TEST + dataset.n * SECONDS_PER_TESTED_ROW
        return p * (p - 1) / 2 * test + edges * (SETS_PER_EDGE * test + SECONDS_PER_EDGE)
    return p * (p - 1) / 2 * SECONDS_PER_PAIR + edges * (p * SECONDS_PER_ROW + SECONDS_PER_EDGE)


ENTRIES = (
    Learner(
        key="lmm",
        label="LMM",
        summary="Adds edges, the strongest first, and then removes the weakest one by one, which ranks them.",
        choose_if="you want a ranking of edges instead of a significance level",
        paper="Mahdi and Mezey (2013)",
        family="constraint-based",
        gives="ranking",
        kinds=EVERY_KIND,
        needs_cells=True,
        settings=LMM,
        function=lmm,
        needs=(dependence_for, DefaultScore),
        cost=cost_of_lmm,
        cost_needs=(the_data,),
        presets=LMM_PRESETS,
        orders=(SIZES_IN_ORDER,),
        pair_bytes=70,
        level_pair_bytes=160,
    ),
)
