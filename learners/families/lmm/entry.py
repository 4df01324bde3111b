"""The catalogue entry of LMM."""

from __future__ import annotations

from ...settings.learner import EVERY_KIND, Learner
from ...settings.needs import DefaultScore, dependence_for, the_data
from ...settings.reference import Reference
from .settings import LMM, LMM_PRESETS, SIZES_IN_ORDER

cost_of_lmm = Reference("families.lmm.cost", "cost_of_lmm")
lmm = Reference("families.lmm.lmm", "lmm")

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
