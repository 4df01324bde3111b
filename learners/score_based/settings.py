"""Settings of the sparse candidate algorithm and of the search over orders."""

from dataclasses import replace

from ..settings.parameter import Parameter
from ..settings.shared import RESTARTS

RESTARTS_OF_ORDERS = replace(
    RESTARTS,
    help="How often to put some variables of the best order anywhere and search on from there.",
    down="0 stops at the first order that no move of one variable betters",
    source="our choice, see benchmarks/README.md",
)

N_CANDIDATES = Parameter(
    "n_candidates",
    "Candidate parents k",
    low=1,
    high=100,
    help="Each round every variable may take its parents only from this many, chosen by the score.",
    up="slower, closer to hill climbing without candidates",
    down="faster, may miss parents",
    source="5 and 10 in Friedman et al. (1999)",
)
MAX_ROUNDS = Parameter(
    "max_rounds",
    "Most rounds",
    low=1,
    high=1_000,
    help="Candidates are chosen anew as long as that raises the score, at most this often.",
    up="better scores where rounds still help",
    down="shorter runs",
    source="our choice; runs seen end by themselves after one to four",
)
