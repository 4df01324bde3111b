"""Every kind of run with what it shows. The one place that asks a result for its kind."""

from __future__ import annotations

from collections.abc import Mapping

from learners.results.result import LearnResult

from .averaging.kind import KINDS as AVERAGING
from .brai.kind import KINDS as BRAI
from .cimap.kind import KINDS as CIMAP
from .constraint_based.kind import KINDS as CONSTRAINT_BASED
from .h2pc.kind import KINDS as H2PC
from .hybrid.kind import KINDS as HYBRID
from .kind import Kind
from .lmm.kind import KINDS as LMM
from .phgs.kind import KINDS as PHGS
from .score_based.kind import KINDS as SCORE_BASED

KINDS: Mapping[str, Kind] = {
    **CONSTRAINT_BASED,
    **SCORE_BASED,
    **HYBRID,
    **H2PC,
    **PHGS,
    **CIMAP,
    **BRAI,
    **AVERAGING,
    **LMM,
}


def kind_of(result: LearnResult) -> Kind:
    """What a run of this kind shows."""
    return KINDS[result.kind]
