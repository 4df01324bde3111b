"""Catalogue of all experiments."""

from __future__ import annotations

from .accuracy import ACCURACY
from .arrows import ARROWS, ARROWS_PROGRAMS
from .brai import BRAI_TABLE1, BRAI_TABLE1_LARGE, FIGURE3_LEFT, FIGURE3_RIGHT, FIGURE4
from .cimap import EFFECT, LARGE, NETWORKS, RIVALS
from .columns import COLUMNS
from .experiment import Experiment
from .h2pc import LARGE as H2PC_LARGE
from .h2pc import SMALL as H2PC_SMALL
from .held_out import HELD_OUT
from .lmm import GAMMA, SKELETONS, TABLE1
from .lmm_curves import CPDAGS, CPDAGS_2500, CPDAGS_BY_NODES, ROWS, SKELETONS_BY_SIZE
from .missing import MISSING_CELLS
from .peers import ALL as PEERS
from .phgs import TABLE2, TABLE3, TABLE3_HPC, TABLE4, TABLE4_H2PC, TABLE4_RIVALS
from .phgs_arges import FIGURE5, FIGURE5_FULL
from .phgs_calls import TABLE5, TABLE5_HPC
from .phgs_details import ALL as PHGS_DETAILS
from .phgs_initial import ALL as PHGS_INITIAL

EXPERIMENTS: dict[str, Experiment] = {
    one.name: one
    for one in (
        *(SKELETONS, TABLE1, SKELETONS_BY_SIZE, CPDAGS, CPDAGS_BY_NODES, CPDAGS_2500, ROWS, GAMMA),
        *(TABLE2, TABLE3, TABLE3_HPC, TABLE4, TABLE4_RIVALS, TABLE4_H2PC, TABLE5, TABLE5_HPC, FIGURE5, FIGURE5_FULL),
        *PHGS_DETAILS,
        *PHGS_INITIAL,
        *(NETWORKS, RIVALS, EFFECT, LARGE),
        *(FIGURE3_LEFT, FIGURE3_RIGHT, FIGURE4, BRAI_TABLE1, BRAI_TABLE1_LARGE),
        *(H2PC_SMALL, H2PC_LARGE),
        *PEERS,
        ACCURACY,
        HELD_OUT,
        ARROWS,
        ARROWS_PROGRAMS,
        MISSING_CELLS,
        COLUMNS,
    )
}

# Titles by the first word of an experiment's name.
PAPERS = {
    "lmm": "Mahdi and Mezey (2013): LMM (light mutual min)",
    "phgs": "Huang and Zhou (2022): pPC, PATH and pHGS",
    "cimap": "Bacciu et al. (2013): CImap",
    "brai": "Rohekar et al. (2018): B-RAI",
    "h2pc": "Gasse, Aussem and Elghazel (2012): H2PC",
    "peers": "Other programs",
    "accuracy": "All learners: accuracy",
    "defaults": "Defaults beside other programs",
    "arrows": "Reliability of the arrows",
    "missing": "Missing cells",
    "columns": "The papers' methods on all column types",
}


def experiments_of(paper: str) -> list[Experiment]:
    """Return the experiments of one of `PAPERS`."""
    return [one for name, one in EXPERIMENTS.items() if name.split("_")[0] == paper]
