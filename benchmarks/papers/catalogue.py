"""All experiments."""

from __future__ import annotations

from .cimap import EFFECT, LARGE, NETWORKS, RIVALS
from .experiment import Experiment
from .lmm import CPDAGS, GAMMA, SKELETONS, TABLE1
from .phgs import TABLE2, TABLE3, TABLE4, TABLE4_RIVALS

EXPERIMENTS: dict[str, Experiment] = {
    one.name: one
    for one in (
        *(SKELETONS, CPDAGS, GAMMA, TABLE1),
        *(TABLE2, TABLE3, TABLE4, TABLE4_RIVALS),
        *(NETWORKS, RIVALS, EFFECT, LARGE),
    )
}
