"""Settings of learners of PAGs."""

from dataclasses import replace

from ...settings.parameter import Parameter
from ...settings.shared import (
    ALPHA,
    MAX_COND_SIZE,
    MAX_PARENTS,
    PENALTY_OF_NUMBERS,
    RESTARTS_OF_ORDERS,
    SCORE_OF_NUMBERS,
    SCORES_WITH_EDGE_PENALTY,
    TESTS,
)

NUMBERS = ("continuous", "mixed")  # column types that a Gaussian model takes

COLLIDERS = Parameter(
    "colliders",
    "Colliders by",
    choices=("sepset", "conservative", "max"),
    words=("one separating set", "all separating sets", "the largest p-value"),
    help="Decides whether the middle of three variables is a collider. It uses the separating set, all "
    "sets of neighbours (which must agree), or the set with the largest p.",
    up="",
    down="",
    source="one set: Spirtes et al. (1999); all sets: Ramsey, Spirtes and Zhang (2006); largest p: Ramsey (2016)",
)
POSSIBLE_D_SEP = Parameter(
    "possible_d_sep",
    "Search beyond neighbours",
    help="Also tests each edge given variables that are no neighbours but may separate its ends if common causes are "
    "hidden.",
    up="",
    down="",
    source="the published algorithm has it on; off is faster, but may keep edges that these tests would remove",
)
FCI = (ALPHA, MAX_COND_SIZE, *TESTS, COLLIDERS, POSSIBLE_D_SEP)

MAX_MOVES = Parameter(
    "max_moves",
    "Maximum moves",
    low=1,
    high=10_000,
    help="The search from the DAG ends after this many moves, or when none raises the score.",
    up="better scores where moves still help",
    down="shorter runs, closer to the DAG",
    source="our choice; on 12 tables of 20 variables with three hidden causes, searches ended after at most 8 moves",
    unit="moves",
)
MAX_DISTRICT = Parameter(
    "max_district",
    "Largest district",
    low=2,
    high=50,
    help="Moves that connect more variables than this by edges ↔ are not tried.",
    up="more hidden causes at once; runs take longer",
    down="faster; hidden causes of many variables are split",
    source=("our choice: on 12 tables of 20 variables, 12 gave the same graph as 8, and 4 another one on three"),
    unit="variables",
)
MAG_SEARCH = tuple(
    replace(one, kinds=NUMBERS)
    for one in (SCORE_OF_NUMBERS, PENALTY_OF_NUMBERS, MAX_MOVES, MAX_DISTRICT, MAX_PARENTS, RESTARTS_OF_ORDERS)
)
BOSS_FCI = (
    ALPHA,
    MAX_COND_SIZE,
    *TESTS,
    COLLIDERS,
    POSSIBLE_D_SEP,
    *SCORES_WITH_EDGE_PENALTY,
    MAX_PARENTS,
    RESTARTS_OF_ORDERS,
)
