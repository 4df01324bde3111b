"""What walks in turn are asked and answer, for `InformationTest` and who remembers them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernels.cimap.sequential_tests import MAX_LISTED, DecisionRule, TurnResults

INFORMATION = "information"  # where a memory keeps that of all pairs


class PairInformation(NamedTuple):
    """(p, p) mutual information of every pair in bits, and its asymptotic standard deviation."""

    bits: np.ndarray
    spread: np.ndarray


def what_decides(rule: DecisionRule) -> DecisionRule:
    """The rule, with what its kind of turns does not look at left out."""
    if not (rule.by_information or rule.normal):
        rule = rule._replace(cut=0.0)
    if rule.every:
        return rule._replace(log_alpha=0.0)
    rule = rule._replace(log_q=0.0, harmonic=False, literal=False)
    return rule._replace(log_alpha=0.0) if rule.by_information else rule


def empty_turns(m: int, size: int, rule: DecisionRule) -> TurnResults:
    """Rows for `m` turns not yet taken."""
    return TurnResults(
        state=np.zeros(m, dtype=np.int8),
        log_p=np.full(m, np.nan),
        statistic=np.full(m, np.nan),
        dof=np.full(m, np.nan),
        cond=np.full((m, size), -1, dtype=np.int32),
        n_tests=np.zeros(m, dtype=np.int64),
        n_skipped=np.zeros(m, dtype=np.int64),
        log_line=np.full(m, np.nan),
        listed=np.full((m if rule.every else 0, MAX_LISTED), np.nan),
        spread=np.full(m if rule.normal else 0, np.nan),
    )
