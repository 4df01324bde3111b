"""Explanations of differences between our values and a paper's, or the known facts where the reason is open."""

from __future__ import annotations

import re
from dataclasses import dataclass

OPEN = "The reason is not known."


@dataclass(frozen=True)
class Note:
    """A short remark on the figures whose cell, method and metric match these regular expressions."""

    text: str
    cell: str = ""
    method: str = ""
    metric: str = ""

    def is_about(self, cell: str, method: str, metric: str) -> bool:
        """Return True if the note concerns this figure."""
        pairs = ((self.cell, cell), (self.method, method), (self.metric, metric))
        return all(re.search(expression, text) for expression, text in pairs)


ORDER = (
    "The paper's program first tests the strongest neighbours of a variable, as Edgewise does today. These runs tested "
    "in the order of the columns and found other separating sets."
)
TABLE2 = (
    Note(
        "The skeleton is right, but 247 of 684 proposed v-structures contradict an earlier one. The result therefore "
        f"depends on which separating set is found first. {ORDER} With the strongest neighbours first, two networks "
        "reach 0.59 and 0.57.",
        cell="sachs",
        metric="JI",
    ),
    Note(
        "The mean of five data sets is 0.030 above the paper's. The tiles are connected at random, so our networks "
        "differ from theirs.",
        cell="survey",
        method="pPC PATH",
        metric="JI",
    ),
    Note(ORDER, metric="calls"),
)
TABLE4 = (
    Note(
        "The paper does not say how its search breaks ties between directions of equal score. Ours takes the direction "
        "that the data favour.",
        cell="earthquake|child",
        method=r"^(pPC|GSC\*|HC)$",
    ),
)
FIGURE5 = (
    Note(
        "HGI helps on complex networks, but not on earthquake, cancer, asia and hepar2. There it starts from wrong "
        "v-structures. With the true v-structures it is worse in 0 of 74 cells.",
        method="HGI",
    ),
)
H2PC = (
    Note(
        "MMHC gains more from compiled tests than HPC, whose search around each variable is written in Python. The "
        "machine was busy when the seconds were measured.",
        metric="time",
    ),
    Note("With 50 to 200 rows, both find almost no edge.", cell=r"n=(50|100|200)$"),
    Note("The probability tables of mildew are too large for so few rows.", cell="mildew"),
    Note("The reason is not known; there is only one sample of link of each size.", cell="link", metric="SHD"),
)
DOF = (
    "The paper counts the degrees of freedom of all declared states. PC-G² and MMHC here omit states that do not occur "
    "in a stratum. P-1 adjusted counts in the same way and is as good as PC-G²."
)
UNTESTED = (
    "FNR keeps an edge between pairs that it does not test. Their number depends on w, which the paper does not give."
)
CIMAP_SECONDS = Note("The paper measured other programs, on machines of its year.", metric="seconds")

BRAI = (
    Note(
        "Here, B-RAI and RAI use a threshold for p-values and check v-structures strictly. The paper does not print "
        "its threshold; its program may choose it by the score.",
        method="RAI",
    ),
    Note("The reason is not known. Our samples are of the same networks, but fewer than the paper's."),
)

NOTES: dict[str, tuple[Note, ...]] = {
    "lmm_table1": (
        Note(
            "The paper measured programs in Java (LMM, MaxMin) and R (PC), on machines of 2013.",
            metric="seconds",
        ),
        Note("The reason is not known. Ours are means of two or three networks, the paper's of 40.", metric="SHD"),
    ),
    "lmm_rows": (
        Note(
            'The paper says "about four-fold each time" for both densities together, without a standard deviation.',
            metric="times fewer",
        ),
    ),
    "phgs_table2": TABLE2,
    "phgs_table3": TABLE2,
    "phgs_table3_hpc": TABLE2,
    "phgs_table4": TABLE4,
    "phgs_table4_rivals": TABLE4,
    "phgs_table4_h2pc": TABLE4,
    "phgs_figure5": FIGURE5,
    "phgs_figure5_full": FIGURE5,
    "h2pc_small": H2PC,
    "h2pc_large": H2PC,
    "cimap_networks": (
        CIMAP_SECONDS,
        Note(UNTESTED, method="FNR"),
        Note(
            "Per-edge FDR tests every conditioning set of an edge, so it needs more tests.",
            method="peFDR",
            metric="tests",
        ),
        Note("FDR removes more true edges than false ones.", method="FDR", metric="errors"),
    ),
    "cimap_rivals": (
        CIMAP_SECONDS,
        Note(UNTESTED, method="P-2 - (MMHC|P-1)|P-2$"),
        Note(DOF, method="P-|PC-G2"),
    ),
    "cimap_large": (
        Note("Our learners are compiled, and the paper measured on machines of its year.", metric="seconds"),
        Note(
            "The χ² approximation holds for data from a network with isolated nodes. Why it did not hold for the "
            "paper's data is not known.",
            method="P-1|P-4|PC-G2",
        ),
        Note(
            "PN1 keeps a pair above about μ + 1.645 s, a higher threshold than μ. Its conditional tests, however, "
            "remove almost no further pair. Which effect is larger depends on the strength of the edges.",
            method="PN1|MI1",
        ),
        Note("These data come from another network of the same size, because the paper's is not available."),
    ),
    "brai_table1": BRAI,
    "brai_table1_large": BRAI,
}


def note_on(experiment: str, cell: str, method: str, metric: str) -> str:
    """Return the first note about a figure, or an empty text if there is none."""
    return next((note.text for note in NOTES.get(experiment, ()) if note.is_about(cell, method, metric)), "")
