"""All experiments."""

from __future__ import annotations

from .brai import BRAI_TABLE1, FIGURE3_LEFT, FIGURE3_RIGHT, FIGURE4
from .cimap import EFFECT, LARGE, NETWORKS, RIVALS
from .experiment import Experiment
from .h2pc import LARGE as H2PC_LARGE
from .h2pc import SMALL as H2PC_SMALL
from .lmm import CPDAGS, GAMMA, SKELETONS, TABLE1
from .phgs import TABLE2, TABLE3, TABLE3_HPC, TABLE4, TABLE4_H2PC, TABLE4_RIVALS

EXPERIMENTS: dict[str, Experiment] = {
    one.name: one
    for one in (
        *(SKELETONS, CPDAGS, GAMMA, TABLE1),
        *(TABLE2, TABLE3, TABLE3_HPC, TABLE4, TABLE4_RIVALS, TABLE4_H2PC),
        *(NETWORKS, RIVALS, EFFECT, LARGE),
        *(FIGURE3_LEFT, FIGURE3_RIGHT, FIGURE4, BRAI_TABLE1),
        *(H2PC_SMALL, H2PC_LARGE),
    )
}
