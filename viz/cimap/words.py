"""Which results are CImap's."""

from __future__ import annotations

from learners.cimap.evidence import InformationEvidence
from learners.results.result import LearnResult


def is_cimap(result: LearnResult) -> bool:
    """Whether the result holds all that CImap was decided by."""
    return isinstance(result.extra, InformationEvidence)
