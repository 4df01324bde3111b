"""Settings of searches by score."""

from dataclasses import replace

from ...settings.parameter import Parameter
from ...settings.shared import (
    MAX_PARENTS,
    PENALTY,
    PENALTY_OF_NUMBERS,
    PERTURBATIONS,
    RESTARTS,
    RESTARTS_OF_ORDERS,
    SCORES_WITH_EDGE_PENALTY,
    TABU,
    TIES,
    TURNING,
)

TIES_OF_SEARCH = replace(
    TIES,
    choices=("both", "data", "columns"),
    words=("both ways", "the data", "columns"),
    help="Both directions of an edge often raise the score equally; with columns, the result depends on the order of "
    "the columns. Both ways: search with two opposite orders and keep the better graph.",
    source="both ways: our choice, based on measurements and on Kitson and Constantinou (2024); columns: as bnlearn",
)

N_PENALTIES = Parameter(
    "n_penalties",
    "Penalties",
    low=2,
    high=100,
    help="Number of penalties, a geometric sequence from that of BIC to the largest.",
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
    help="In multiples of BIC. The penalties do not distinguish edges that survive the largest one.",
    up="distinguishes the strongest edges",
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
    help="The result is the graph at the penalty nearest to this one, in multiples of BIC. Automatic: the penalty of "
    "other searches by score, BIC or extended BIC.",
    up="fewer edges",
    down="more edges",
    source="as in the other searches by score; the slider on Inspect shows all penalties without a new run",
)
AVERAGE = Parameter(
    "average",
    "Average ranks with LMM",
    kinds=("continuous",),
    help="LMM also ranks the edges, and the ranks are averaged.",
    up="",
    down="",
    source="our choice: on held-out networks more accurate than LMM alone, not than the penalties alone",
)

N_CANDIDATES = Parameter(
    "n_candidates",
    "Candidate parents k",
    low=1,
    high=100,
    help="In each round a variable takes its parents from this many candidates, chosen by the score.",
    up="slower, closer to hill climbing without candidates",
    down="faster; parents may be missing",
    source="5 and 10 in Friedman et al. (1999)",
)
MAX_ROUNDS = Parameter(
    "max_rounds",
    "Maximum rounds",
    low=1,
    high=1_000,
    help="Candidates are chosen again while that raises the score, at most this many times.",
    up="better scores where rounds still help",
    down="shorter runs",
    source="our choice; measured runs end after one to four rounds",
)

PENALTIES = (PENALTY, PENALTY_OF_NUMBERS)
HC = (*SCORES_WITH_EDGE_PENALTY, MAX_PARENTS, RESTARTS, PERTURBATIONS, TIES_OF_SEARCH)
TABU_SEARCH = (*SCORES_WITH_EDGE_PENALTY, *TABU, TIES_OF_SEARCH)
GES = (*SCORES_WITH_EDGE_PENALTY, *PENALTIES, TURNING, MAX_PARENTS)
BOSS = (*SCORES_WITH_EDGE_PENALTY, *PENALTIES, MAX_PARENTS, RESTARTS_OF_ORDERS)
SCORE_PATH = (PENALTY_OF_RESULT, N_PENALTIES, LARGEST_PENALTY, AVERAGE, TURNING, MAX_PARENTS)
SCA = (N_CANDIDATES, MAX_ROUNDS, *SCORES_WITH_EDGE_PENALTY, TIES)
