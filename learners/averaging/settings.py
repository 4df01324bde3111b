"""Parameters of the bootstrap, of order MCMC and of the exact posterior."""

import math
from dataclasses import replace

from ..settings import shared
from ..settings.parameter import Parameter

MAX_VARIABLES = 20  # of sums over orders


def edge_penalty(_n: int, p: int) -> float:
    """Return the penalty in nats that gives each of the p - 1 arrows to a variable prior odds of 1 to p."""
    return math.log(p)


def edge_penalty_of_numbers(n: int, p: int) -> float:
    """Return the penalty for continuous data, half of that for categorical data."""
    return 0.5 * edge_penalty(n, p)


N_RESAMPLES = Parameter(
    "n_resamples",
    "Resamples",
    low=1,
    high=10_000,
    help="The learner runs once on each; rows are drawn with replacement, as many as there are.",
    up="surer shares, longer runs",
    down="rougher shares, faster",
    source="200 in Friedman, Goldszmidt and Wyner (1999); 50 gives shares to within about 7 percentage points",
)
FREQUENT = Parameter(
    "graph",
    "Graph shown",
    choices=("frequent", "best"),
    help="frequent: the pairs joined in enough of the resamples. best: the graph found that has the best score.",
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
    help="Pairs joined in at least this share of the resamples are edges of the frequent graph.",
    up="fewer, surer edges",
    down="more edges",
    source="our choice; Friedman, Goldszmidt and Wyner (1999) vary it, and find 0.8 to be almost always right",
)
CHAINS = Parameter(
    "chains",
    "Chains",
    low=2,
    high=100,
    help="So many Markov chains run side by side from different starts; how far they agree stands beside the result.",
    up="a surer judgement of whether they agree, longer runs",
    down="faster",
    source="our choice: the fewest that can disagree",
)
STEPS = Parameter(
    "steps",
    "Moves of a chain",
    low=1,
    high=10_000_000,
    help="Each chain makes so many moves, then it is asked whether the chains agree.",
    up="steadier probabilities, longer runs; many variables need more",
    down="faster, rougher",
    source="our choice, see benchmarks/README.md",
)
RUN_ON = Parameter(
    "run_on",
    "Rounds more",
    low=0,
    high=20,
    help="While the chains do not agree they make as many moves again as they have made, at most so often.",
    up="chains that move slowly get more time to agree",
    down="0 takes them as they are",
    source="our choice, see benchmarks/README.md",
)
N_CANDIDATES = Parameter(
    "n_candidates",
    "Candidate parents",
    low=1,
    high=20,
    help="Parents of a variable come from this many: those that searches on the rows and on resamples join it to, then "
    "those that gain most.",
    up="misses fewer parents; time and memory double with each",
    down="faster",
    source="8 to 12 keep what the data can tell; Friedman and Koller (2003) take 10 and more",
)
MOST_PARENTS = Parameter(
    "max_parents",
    "Most parents",
    low=1,
    high=20,
    optional=True,
    suggested=4,
    help="DAGs in which a variable has more parents are not counted, nor those in which its parents have more "
    "configurations of levels than there are rows. Automatic: all its candidates, or as many as leave it 20 000 sets "
    "of them.",
    up="denser families, longer tables",
    down="faster; of a variable that has more parents, edges and arrows come out wrong around it, and look sure",
    source="our choice, see benchmarks/README.md; 3 to 5 in Friedman and Koller (2003)",
)
PRIOR = Parameter(
    "prior",
    "As likely beforehand",
    choices=("orders", "dags", "classes"),
    words=("every order", "every DAG", "every class"),
    help="orders: every order of the variables, so that a DAG is the likelier the more orders it agrees with. dags: "
    "every DAG, so that an equivalence class is the likelier the more DAGs it has. classes: every class. Where an edge "
    "has its price, that counts besides. With few rows they differ; the result shows by how much.",
    up="",
    down="",
    source="orders: Friedman and Koller (2003); dags: Kuipers and Moffa (2017); classes: DAGs over the size of theirs",
)
SCORE_OF_NUMBERS = Parameter(
    "score",
    "Score",
    choices=("bge", "bic"),
    words=("BGe", "BIC"),
    kinds=("continuous",),
    help="What makes a DAG probable: BGe averages over regressions under a prior, BIC approximates that for many rows.",
    up="",
    down="",
    source="BGe: Geiger and Heckerman (2002), as Kuipers, Moffa and Heckerman (2014) correct it",
)
OURS = "our choice, on samples of known networks: nearest to how often edges are there; benchmarks/README.md"
ESS = replace(shared.ESS, source=OURS)
EDGE_PENALTY = replace(
    shared.EDGE_PENALTY,
    help="What each edge takes off the logarithm of a graph's probability beforehand. Automatic: ln p, with p "
    "variables, so that each arrow has odds of 1 to p. With 0, graphs with many edges, of which there are far more, "
    "have most of the probability where rows are few.",
    source=OURS,
    amount=edge_penalty,
)
EDGE_PENALTY_OF_NUMBERS = replace(
    EDGE_PENALTY,
    kinds=("continuous",),
    help="What each edge takes off the logarithm of a graph's probability beforehand. Automatic: ½ ln p, with p "
    "variables, so that each arrow has odds of 1 to √p. With 0, graphs with many edges, of which there are far more, "
    "have most of the probability where rows are few. Columns with missing cells are scored by BIC, without it.",
    only_if=("score", "bge"),
    amount=edge_penalty_of_numbers,
)

BOOTSTRAP = (N_RESAMPLES, FREQUENT, SHARE)
SCORES = (shared.SCORE, SCORE_OF_NUMBERS, ESS, EDGE_PENALTY, EDGE_PENALTY_OF_NUMBERS)
ORDER_MCMC = (CHAINS, STEPS, RUN_ON, N_CANDIDATES, MOST_PARENTS, PRIOR, *SCORES)
EXACT_POSTERIOR = (MOST_PARENTS, *SCORES)
