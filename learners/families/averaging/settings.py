"""Parameters of the bootstrap, of order MCMC and of the exact posterior."""

import math
from dataclasses import replace

from ...settings import shared
from ...settings.parameter import Parameter
from ...settings.reference import Reference

MAX_VARIABLES = 24  # maximum number of variables for sums over orders


def edge_penalty(_n: int, p: int) -> float:
    """Return the penalty in nats that gives each of the p - 1 arrows to a variable prior odds of 1 to p."""
    return math.log(p)


N_RESAMPLES = Parameter(
    "n_resamples",
    "Resamples",
    low=1,
    high=10_000,
    help="The learner runs once on each; a resample draws as many rows as there are, with replacement.",
    up="more precise shares, longer runs",
    down="less precise shares, faster",
    source="200 in Friedman, Goldszmidt and Wyner (1999); 50 has a standard error of about 7 percentage points",
)
FREQUENT = Parameter(
    "graph",
    "Graph shown",
    choices=("frequent", "best"),
    help="Frequent: the edges in enough of the resamples. Best: the graph of a resample with the best score.",
    up="",
    down="",
    source="frequent: Friedman, Goldszmidt and Wyner (1999); best: the comparison of Rohekar et al. (2018), table 1",
)
SHARE = Parameter(
    "share",
    "Share of resamples",
    low=0.0,
    high=1.0,
    open_ends=True,
    help="Edges in at least this share of the resamples are in the frequent graph.",
    up="fewer, better supported edges",
    down="more edges",
    source="our choice; Friedman, Goldszmidt and Wyner (1999) vary it and find 0.8 almost always correct",
)
CHAINS = Parameter(
    "chains",
    "Chains",
    low=2,
    high=100,
    help="Number of Markov chains with different starts; the result reports their agreement.",
    up="a more reliable check of agreement, longer runs",
    down="faster",
    source="our choice: the smallest number that can disagree",
)
STEPS = Parameter(
    "steps",
    "Moves per chain",
    low=1,
    high=10_000_000,
    help="Number of moves of each chain before the first check of their agreement.",
    up="more precise probabilities, longer runs; many variables need more moves",
    down="faster, less precise",
    source="our choice, based on measurements",
)
RUN_ON = Parameter(
    "run_on",
    "Maximum chain doublings",
    low=0,
    high=20,
    help="While the chains do not agree, the number of moves is doubled, at most this often.",
    up="slowly mixing chains have more time",
    down="at 0 the run ends after the first round",
    source="our choice, based on measurements",
)
N_CANDIDATES = Parameter(
    "n_candidates",
    "Candidate parents",
    low=1,
    high=20,
    help="Number of candidate parents of a variable, more if a first search finds more parents. First come its "
    "neighbours in searches on the data and on resamples, then the variables that raise the score most.",
    up="misses fewer parents; each further candidate doubles time and memory",
    down="faster",
    source="8 to 12 suffice on most data; Friedman and Koller (2003) use 10 and more",
)
MAX_PARENTS = Parameter(
    "max_parents",
    "Maximum parents",
    low=1,
    high=20,
    optional=True,
    suggested=4,
    help=(
        "Largest number of parents of a variable; parents with more configurations than rows are "
        "also excluded. Automatic: as many as give at most 20,000 parent sets, and more where a "
        "first search finds many parents."
    ),
    up="denser graphs, larger tables",
    down="faster; probabilities are wrong around variables with more parents",
    source="our choice, based on measurements; 3 to 5 in Friedman and Koller (2003)",
)
PRIOR = Parameter(
    "prior",
    "Uniform prior over",
    choices=("orders", "dags", "classes"),
    words=("orders", "DAGs", "equivalence classes"),
    help="A prior over orders favours DAGs with many orders; one over DAGs favours classes with many DAGs. The choice "
    "matters with few rows, and the result shows how much.",
    up="",
    down="",
    source="orders: Friedman and Koller (2003); DAGs: Kuipers and Moffa (2017); classes: DAGs, each divided by "
    "the size of its class",
)
SCORE_OF_NUMBERS = Parameter(
    "score",
    "Score",
    choices=("bge", "bic"),
    words=("BGe", "BIC"),
    kinds=("continuous",),
    help="BGe averages over regressions under a prior; BIC approximates it for many rows.",
    up="",
    down="",
    source="BGe: Geiger and Heckerman (2002), as Kuipers, Moffa and Heckerman (2014) correct it",
)
OURS = "our choice: the best calibration of edges on samples of known networks"
ESS = replace(shared.ESS, source=OURS)
EDGE_PENALTY = replace(
    shared.EDGE_PENALTY,
    help="Penalty of each edge in the log prior; automatic is ln p with p variables, prior odds of 1 "
    "to p for each arrow. With 0 and few rows, dense graphs have most of the probability, because "
    "there are far more of them.",
    source=OURS,
    amount=edge_penalty,
)
EDGE_PENALTY_OF_NUMBERS = replace(
    EDGE_PENALTY,
    kinds=("continuous",),
    help="Penalty of each edge in the log prior; automatic is ½ ln p with p variables, prior odds of 1 "
    "to √p for each arrow. If some pairs of columns share far fewer rows than others, BIC scores "
    "all of them, without this penalty.",
    only_if=("score", "bge"),
    amount=Reference("scores.bge", "default_edge_penalty"),
)

BOOTSTRAP = (N_RESAMPLES, FREQUENT, SHARE)
SCORES = (shared.SCORE, SCORE_OF_NUMBERS, ESS, EDGE_PENALTY, EDGE_PENALTY_OF_NUMBERS)
ORDER_MCMC = (CHAINS, STEPS, RUN_ON, N_CANDIDATES, MAX_PARENTS, PRIOR, *SCORES)
EXACT_POSTERIOR = (MAX_PARENTS, *SCORES)
