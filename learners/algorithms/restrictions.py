"""The searches for a skeleton that a hybrid learner can keep to, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np

from ..graph import PDAG
from ..independence import CITest
from ..knowledge import BoundKnowledge
from ..progress import Tick
from .hybrid import Restriction
from .max_min import MaxMinSearch
from .middles import tested_v_structures
from .orientation import ranked_v_structures
from .partitioned import PartitionedSearch
from .skeleton import SkeletonSearch, learn_skeleton

SkeletonBy = Literal["ppc", "pc", "mmpc"]


def restriction_by(
    skeleton: SkeletonBy,
    ci_test: CITest,
    alpha: float,
    max_cond_size: int | None,
    knowledge: BoundKnowledge,
    *,
    draws: bool,
) -> Restriction:
    """An unstarted search of the kind asked for; `draws` says whether its trace draws the skeleton."""
    return RESTRICTIONS[skeleton](ci_test, alpha, max_cond_size, knowledge, draws)


def _pc(ci_test: CITest, alpha: float, limit: int | None, knowledge: BoundKnowledge, draws: bool) -> Restriction:
    search = SkeletonSearch(ci_test, alpha, knowledge, draws=draws)
    return Restriction(search, partial(learn_skeleton, search, limit), partial(_by_sepsets, search))


def _ppc(ci_test: CITest, alpha: float, limit: int | None, knowledge: BoundKnowledge, draws: bool) -> Restriction:
    search = PartitionedSearch(ci_test, alpha, knowledge, draws=draws)
    most = max(ci_test.p - 2, 1) if limit is None else limit
    return Restriction(search, partial(search.learn, most), partial(_by_sepsets, search))


def _mmpc(ci_test: CITest, alpha: float, limit: int | None, knowledge: BoundKnowledge, draws: bool) -> Restriction:
    return by_candidates(MaxMinSearch(ci_test, alpha, limit, knowledge, draws=draws))


def by_candidates(search: MaxMinSearch) -> Restriction:
    """A search that lets each variable choose; its v-structures are found by tests given the middle."""

    def v_structures(tick: Tick) -> np.ndarray:
        skeleton, known = search.graph.skeleton, (search.sepsets, search.evidence)
        settings = (search.alpha, search.max_cond_size, search.trace)
        return tested_v_structures(search.ci_test, skeleton, *known, *settings, tick)

    return Restriction(search, search.run, v_structures)


def _by_sepsets(search: SkeletonSearch, _tick: Tick) -> np.ndarray:
    """Equation (B.1): the middle is in no set that separates."""
    return ranked_v_structures(PDAG(search.adjacency), search.sepsets, search.log_phi)


RESTRICTIONS: dict[str, Callable[..., Restriction]] = {"ppc": _ppc, "pc": _pc, "mmpc": _mmpc}
