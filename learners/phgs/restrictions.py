"""The searches for a skeleton, each with its v-structures, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np

from ..common.progress import Tick
from ..constraint_based.blankets import BlanketSearch
from ..constraint_based.finish import Restriction, SkeletonFinder
from ..constraint_based.max_min import MaxMinSearch
from ..constraint_based.middles import tested_v_structures
from ..constraint_based.orientation import ranked_v_structures
from ..constraint_based.semi_interleaved import SemiInterleavedSearch
from ..constraint_based.skeleton import SkeletonSearch, learn_skeleton
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..h2pc.search import HPCSearch
from ..independence import CITest
from .partitioned import PartitionedSearch

SkeletonBy = Literal["ppc", "pc", "mmpc", "fast_iamb", "si_hiton_pc", "hpc"]


def restriction_by(
    skeleton: SkeletonBy,
    ci_test: CITest,
    alpha: float,
    max_cond_size: int | None,
    knowledge: BoundKnowledge,
    *,
    draws: bool,
    **settings: Any,
) -> Restriction:
    """An unstarted search of the kind asked for; `draws` says whether its trace draws the skeleton.

    `settings` are those that only this kind of search has.
    """
    return RESTRICTIONS[skeleton](ci_test, alpha, max_cond_size, knowledge, draws, **settings)


def _pc(ci_test: CITest, alpha: float, limit: int | None, knowledge: BoundKnowledge, draws: bool) -> Restriction:
    search = SkeletonSearch(ci_test, alpha, knowledge, draws=draws)
    return Restriction(search, partial(learn_skeleton, search, limit), partial(_by_sepsets, search))


def _ppc(ci_test: CITest, alpha: float, limit: int | None, knowledge: BoundKnowledge, draws: bool) -> Restriction:
    search = PartitionedSearch(ci_test, alpha, knowledge, draws=draws)
    most = max(ci_test.p - 2, 1) if limit is None else limit
    return Restriction(search, partial(search.learn, most), partial(_by_sepsets, search))


def _mmpc(ci_test: CITest, alpha: float, limit: int | None, knowledge: BoundKnowledge, draws: bool) -> Restriction:
    search = MaxMinSearch(ci_test, alpha, limit, knowledge, draws=draws)
    return Restriction(search, search.run, partial(_by_middles, search, alpha, limit))


def _si_hiton_pc(
    ci_test: CITest, alpha: float, limit: int | None, knowledge: BoundKnowledge, draws: bool
) -> Restriction:
    search = SemiInterleavedSearch(ci_test, alpha, limit, knowledge, draws=draws)
    return Restriction(search, search.run, partial(_by_middles, search, alpha, limit))


def _fast_iamb(ci_test: CITest, alpha: float, limit: int | None, knowledge: BoundKnowledge, draws: bool) -> Restriction:
    search = BlanketSearch(ci_test, alpha, knowledge, draws=draws)
    return Restriction(search, partial(search.learn, limit), partial(_by_middles, search, alpha, limit))


def _hpc(
    ci_test: CITest, alpha: float, limit: int | None, knowledge: BoundKnowledge, draws: bool, **settings: Any
) -> Restriction:
    search = HPCSearch(ci_test, alpha, limit, knowledge, draws=draws, **settings)
    return Restriction(search, search.run, partial(_by_middles, search, alpha, limit))


def _by_middles(search: SkeletonFinder, alpha: float, limit: int | None, tick: Tick) -> np.ndarray:
    """Equation (B.2): dependent given every set with the middle."""
    skeleton, known = search.graph.skeleton, (search.sepsets, search.evidence)
    return tested_v_structures(search.ci_test, skeleton, *known, alpha, limit, search.trace, tick)


def _by_sepsets(search: SkeletonSearch, _tick: Tick) -> np.ndarray:
    """Equation (B.1): the middle is in no set that separates."""
    return ranked_v_structures(PDAG(search.adjacency), search.sepsets, search.log_phi)


RESTRICTIONS: dict[str, Callable[..., Restriction]] = {
    "ppc": _ppc,
    "pc": _pc,
    "mmpc": _mmpc,
    "fast_iamb": _fast_iamb,
    "si_hiton_pc": _si_hiton_pc,
    "hpc": _hpc,
}
