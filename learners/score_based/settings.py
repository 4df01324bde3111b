"""Settings of searches by score."""

from dataclasses import replace

from ..settings.parameter import Parameter
from ..settings.shared import (
    MAX_PARENTS,
    PENALTY,
    PENALTY_OF_NUMBERS,
    PERTURBATIONS,
    RESTARTS,
    SCORES_WITH_EDGE_PRICE,
    TABU,
    TIES,
    TURNING,
)

RESTARTS_OF_ORDERS = replace(
    RESTARTS,
    help="How often to put some variables of the best order anywhere and search on from there.",
    down="0 stops at the first order that no move of one variable betters",
    source="our choice, see benchmarks/README.md",
)
TIES_OF_SEARCH = replace(
    TIES,
    choices=("both", "data", "columns"),
    words=("both ways", "the data", "columns"),
    help="Two directions of an edge often gain the same; the data, or the order of the columns, say which is tried. "
    "Both ways: by the data, then the other way round, and the better graph counts. By columns the result depends on "
    "their order in the table.",
    source="both ways: our choice, see benchmarks/README.md and Kitson and Constantinou (2024); columns: as bnlearn",
)

N_PENALTIES = Parameter(
    "n_penalties",
    "Penalties",
    low=2,
    high=100,
    help="The search runs at so many penalties, in even ratios from that of BIC to the largest.",
    up="a finer ranking, longer runs",
    down="a coarser ranking",
    source="our choice",
)
LARGEST_PENALTY = Parameter(
    "most",
    "Largest penalty",
    low=1.0,
    high=1_000.0,
    open_ends=True,
    help="In multiples of BIC. Where all edges have left before, the strongest are not told apart.",
    up="tells the strongest edges apart",
    down="spends more penalties on the weak ones",
    source="our choice",
)
PENALTY_OF_RESULT = Parameter(
    "penalty",
    "Penalty of the result",
    suggested=2.0,
    low=0.0,
    high=1_000.0,
    open_ends=True,
    optional=True,
    help="The graph of the result is that at the penalty nearest to this, in multiples of BIC. Automatic is what other "
    "searches by score charge: BIC, or extended BIC.",
    up="fewer edges",
    down="more edges",
    source="as the other searches by score; the slider on Inspect shows every penalty without a rerun",
)
AVERAGE = Parameter(
    "average",
    "Average ranks with LMM",
    kinds=("continuous",),
    help="LMM ranks the edges too, and the ranks of both are averaged.",
    up="",
    down="",
    source="our choice: nearer to the truth than LMM alone, not than the penalties alone, on held-out networks",
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

PENALTIES = (PENALTY, PENALTY_OF_NUMBERS)
HC = (*SCORES_WITH_EDGE_PRICE, MAX_PARENTS, RESTARTS, PERTURBATIONS, TIES_OF_SEARCH)
TABU_SEARCH = (*SCORES_WITH_EDGE_PRICE, *TABU, TIES_OF_SEARCH)
GES = (*SCORES_WITH_EDGE_PRICE, *PENALTIES, TURNING, MAX_PARENTS)
BOSS = (*SCORES_WITH_EDGE_PRICE, *PENALTIES, MAX_PARENTS, RESTARTS_OF_ORDERS)
SCORE_PATH = (PENALTY_OF_RESULT, N_PENALTIES, LARGEST_PENALTY, AVERAGE, TURNING, MAX_PARENTS)
SCA = (N_CANDIDATES, MAX_ROUNDS, *SCORES_WITH_EDGE_PRICE, TIES)
