"""Parameters of the learners after Huang and Zhou (2022)."""

from dataclasses import replace

from ...settings.parameter import OrderConstraint, Parameter
from ...settings.shared import (
    ALPHA,
    COLLIDER_CHECK,
    MAX_COND_SIZE,
    MAX_PARENTS,
    PENALTY,
    PENALTY_OF_NUMBERS,
    PERTURBATIONS,
    POLISHING,
    RESTARTS,
    SCORES_WITH_EDGE_PENALTY,
    TABU,
    TESTS,
    TIES,
    TURNING,
)

PARTITIONED_COND_SIZE = replace(MAX_COND_SIZE, low=1, optional=False)
CANDIDATE_COND_SIZE = replace(MAX_COND_SIZE, low=1)
PATH_ALPHA = replace(
    ALPHA,
    help="A test with a p-value above this level removes the edge of its pair from all solutions.",
    source="0.1 in Huang and Zhou (2022) for PATH",
)
TAU = Parameter(
    "tau",
    "Maximum solutions",
    low=2,
    high=10_000,
    help="Largest number of thresholds; the number of edges decreases in equal steps.",
    up="a finer choice of density, more scoring",
    down="a coarser choice",
    source="10 in Huang and Zhou (2022)",
    unit="graphs",
)
ALPHA_MIN = Parameter(
    "alpha_min",
    "Last threshold",
    low=0.0,
    high=1.0,
    help="The sparsest solution keeps the edges with a largest p-value up to this; it lies below the significance "
    "level.",
    up="the sparsest solution has more edges",
    down="the sparsest solution has fewer edges",
    source="1e-5 in Huang and Zhou (2022)",
)
STRONGEST_FIRST = Parameter(
    "strongest_first",
    "Strongest neighbours first",
    help="Conditioning sets come first from the neighbours with the strongest association, which separates pairs "
    "earlier. Off uses the names of the neighbours.",
    up="",
    down="",
    source="on: as in the program of Huang and Zhou; their paper leaves it open",
)
PATH_SKELETON = Parameter(
    "skeleton",
    "Tests done by",
    choices=("ppc", "pc"),
    words=("pPC", "PC-stable"),
    help="pPC tests pairs within clusters of variables first; PC-stable treats all pairs alike.",
    up="",
    down="",
    source="pPC: Huang and Zhou (2022), algorithm 3 after algorithm 2",
)
SKELETON = Parameter(
    "skeleton",
    "Allowed pairs",
    choices=("ppc", "pc", "mmpc", "fast_iamb", "si_hiton_pc", "hpc", "lmm"),
    words=("pPC", "PC-stable", "MMPC", "Fast-IAMB", "SI-HITON-PC", "HPC", "LMM"),
    help="The learner whose skeleton has the pairs that may be adjacent.",
    up="",
    down="",
    source="pPC: Huang and Zhou (2022); MMPC from the empty graph is MMHC, HPC is H2PC; LMM: Mahdi and Mezey (2013)",
)
START = Parameter(
    "start",
    "The search begins with",
    choices=("hgi", "empty"),
    words=("HGI", "the empty graph"),
    help="HGI first orients the allowed pairs greedily by score; the empty graph has no edges.",
    up="",
    down="",
    source="HGI: Huang and Zhou (2022), algorithm 4; the empty graph: as MMHC, Tsamardinos et al. (2006)",
)
ARGES_ALPHA = replace(
    ALPHA,
    help="A test with a p-value above this level separates its pair.",
    source="0.01 in Huang and Zhou (2022), appendix D.2",
)
RESTRICTION = Parameter(
    "restriction",
    "Allowed pairs",
    choices=("skeleton", "cig"),
    words=("skeleton", "conditional independence graph"),
    kinds=("continuous",),
    help="The pairs that pPC leaves adjacent, or those that are dependent given all other columns. Pairs "
    "whose edge shields a triple or a v-structure are included.",
    up="",
    down="",
    source="both in Nandy, Hauser and Maathuis (2018); skeleton with hgi in Huang and Zhou (2022), appendix D.2",
)
LAST_BELOW_FIRST = OrderConstraint("alpha_min", "alpha")

PPC = (ALPHA, PARTITIONED_COND_SIZE, COLLIDER_CHECK, STRONGEST_FIRST, *TESTS)
PATH = (
    PATH_ALPHA,
    TAU,
    ALPHA_MIN,
    PARTITIONED_COND_SIZE,
    PATH_SKELETON,
    STRONGEST_FIRST,
    *TESTS,
    *SCORES_WITH_EDGE_PENALTY,
)
PHGS = (
    ALPHA,
    TAU,
    ALPHA_MIN,
    PARTITIONED_COND_SIZE,
    STRONGEST_FIRST,
    *TESTS,
    *SCORES_WITH_EDGE_PENALTY,
    *TABU,
    *POLISHING,
    TIES,
)
GSC = (
    SKELETON,
    START,
    ALPHA,
    CANDIDATE_COND_SIZE,
    *TESTS,
    *SCORES_WITH_EDGE_PENALTY,
    *TABU,
    RESTARTS,
    PERTURBATIONS,
    TIES,
)
ARGES = (
    RESTRICTION,
    START,
    ARGES_ALPHA,
    CANDIDATE_COND_SIZE,
    *TESTS,
    *SCORES_WITH_EDGE_PENALTY,
    PENALTY,
    PENALTY_OF_NUMBERS,
    TURNING,
    MAX_PARENTS,
)
