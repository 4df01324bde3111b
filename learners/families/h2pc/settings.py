"""Settings of HPC and H2PC."""

from dataclasses import replace

from ...settings.parameter import Parameter
from ...settings.shared import ALPHA, MAX_COND_SIZE, SCORES, TESTS, TIES, WITHIN_SKELETON

HPC_COND_SIZE = replace(
    MAX_COND_SIZE,
    suggested=3,
    help="Size of the largest conditioning set. Automatic: as large as the rows allow.",
    source="no limit in Gasse et al. (2012)",
)
UNRELIABLE = Parameter(
    "unreliable",
    "Tests without enough rows",
    choices=("literal", "skip"),
    help="Literal: count as independence and separate the pair. Skip: separate nothing.",
    up="",
    down="",
    source="literal: Gasse et al. (2012), section 3; loses edges where blankets are large",
)
PC_METHOD = Parameter(
    "pc_method",
    "Blankets by",
    choices=("plain", "fdr"),
    words=("plain", "few false discoveries"),
    help="Plain: the algorithm Inter-IAMB, with every test at the significance level. Few false discoveries: limits "
    "the false discovery rate of each blanket.",
    up="",
    down="",
    source="few false discoveries: Gasse et al. (2014), after Peña (2008): as accurate on small networks, "
    "more accurate on large ones, a third less work; plain: as in the paper, Gasse et al. (2012)",
)
TARGET = Parameter(
    "target",
    "Variable",
    column=True,
    help="The variable whose neighbours and Markov blanket are found.",
    up="",
    down="",
    source="the first column",
)

HPC = (ALPHA, HPC_COND_SIZE, UNRELIABLE, PC_METHOD, *TESTS)
HPC_TARGET = (TARGET, *HPC)
H2PC = (*HPC, *SCORES, *WITHIN_SKELETON, TIES)
