"""Registry entries of hill climbing, tabu search, GES, BOSS, score path and sparse candidates."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ...settings.learner import EVERY_KIND, Learner
from ...settings.needs import BICs, DependencePosterior, bdeu_with_edge_penalty, cost_of_boss, cost_of_search
from ...settings.reference import Reference
from .settings import BOSS, GES, HC, SCA, SCORE_PATH, TABU_SEARCH

if TYPE_CHECKING:
    from ...data.dataset import Dataset
    from ...results.result import LearnResult
    from ...scores.selection import BICs as BICsOfData

lmm = Reference("families.lmm.lmm", "lmm")
boss = Reference("families.score_based.boss", "boss")
ges = Reference("families.score_based.ges", "ges")
hc = Reference("families.score_based.hc", "hc")
sca = Reference("families.score_based.sca", "sca")
score_path = Reference("families.score_based.score_path", "score_path")
tabu = Reference("families.score_based.tabu", "tabu")


def beside_by_lmm(dataset: Dataset, *, average: bool = False) -> Callable[..., LearnResult] | None:
    """Return a function that runs LMM on the same data if its ranks are to be averaged, else None."""
    return partial(lmm, DependencePosterior(dataset)) if average else None


def cost_of_path(bics: BICsOfData, _beside: Callable | None, *, n_penalties: int, **_others: Any) -> float:
    """Estimate the seconds of a greedy search for each penalty."""
    return n_penalties * cost_of_search(bics.at(bics.usual))


ENTRIES = (
    Learner(
        key="hc",
        label="Hill climbing",
        summary="Starts from the empty graph and repeatedly makes the single-edge change that raises the score most.",
        choose_if="you want a quick DAG, as a start or for comparison",
        paper="Heckerman, Geiger and Chickering (1995)",
        family="score-based",
        kinds=EVERY_KIND,
        settings=HC,
        function=hc,
        needs=(bdeu_with_edge_penalty,),
        cost=cost_of_search,
        limit="max_parents",
        pair_bytes=120,
    ),
    Learner(
        key="tabu",
        label="Tabu search",
        summary="Climbs like hill climbing, continues after a local maximum, and returns the best graph visited.",
        choose_if="hill climbing ends too early and a little more time does not matter",
        paper="Bouckaert (1995), after Glover (1989)",
        family="score-based",
        kinds=EVERY_KIND,
        settings=TABU_SEARCH,
        function=tabu,
        needs=(bdeu_with_edge_penalty,),
        cost=cost_of_search,
        limit="max_parents",
        pair_bytes=120,
    ),
    Learner(
        key="ges",
        label="GES",
        summary="Inserts edges into a class of equivalent graphs while the score rises, then deletes and turns edges.",
        choose_if="you have up to a few hundred variables and many rows, and want the equivalence class",
        paper="Chickering (2002); Hauser and Bühlmann (2012)",
        family="score-based",
        kinds=EVERY_KIND,
        settings=GES,
        function=ges,
        needs=(bdeu_with_edge_penalty,),
        cost=cost_of_search,
        limit="max_parents",
        pair_bytes=110,
    ),
    Learner(
        key="boss",
        label="BOSS",
        summary="Searches the orders of the variables for the one whose best DAG has the highest score.",
        choose_if="you want the highest score and can wait several times longer than for GES",
        paper="Andrews et al. (2023); Wienöbst, Henckel and Weichwald (2026)",
        family="score-based",
        kinds=EVERY_KIND,
        settings=BOSS,
        function=boss,
        needs=(bdeu_with_edge_penalty,),
        cost=cost_of_boss,
        pair_bytes=160,
    ),
    Learner(
        key="score_path",
        label="Score path",
        summary="Runs GES at many penalties and ranks edges by the largest penalty that they survive.",
        choose_if="you want edges ranked by strength of evidence, and decide later how many to keep",
        paper="Chickering (2002), at many penalties",
        family="score-based",
        gives="ranking",
        kinds=EVERY_KIND,
        settings=SCORE_PATH,
        function=score_path,
        needs=(BICs, beside_by_lmm),
        cost=cost_of_path,
        pair_bytes=300,
    ),
    Learner(
        key="sca",
        label="Sparse candidate",
        summary="Chooses a few candidate parents for every variable, climbs within them, and chooses again.",
        choose_if="you want a DAG of many variables by score, each with few parents",
        paper="Friedman, Nachman and Pe'er (1999)",
        family="score-based",
        kinds=EVERY_KIND,
        settings=SCA,
        function=sca,
        needs=(bdeu_with_edge_penalty,),
        # The choice of candidates scores about the same number of families as the search.
        cost=lambda score, **settings: 2.0 * cost_of_search(score, **settings),
        pair_bytes=120,
    ),
)
