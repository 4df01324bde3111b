"""Every setting of the learners of LEARNERS, declared once and shared by those that have it."""

from dataclasses import replace

from .parameters import Parameter

ALPHA = Parameter(
    "alpha",
    "Significance level",
    default=0.05,
    low=0.0,
    high=1.0,
    open_ends=True,
    help="A pair loses its edge as soon as one test has p above this level.",
    up="more edges, more false ones",
    down="fewer edges, more missed ones",
    source="the usual level; Huang and Zhou (2022) and Gasse et al. (2012) use it too",
)
MAX_COND_SIZE = Parameter(
    "max_cond_size",
    "Largest conditioning set",
    default=3,
    low=0,
    high=20,
    optional=True,
    help="Tests condition on at most this many other variables.",
    up="finds more separations, but tests rest on fewer rows each and take longer",
    down="faster, may leave edges that a larger set would remove",
    source="m = 3 in Huang and Zhou (2022)",
)
DOF = Parameter(
    "dof",
    "Degrees of freedom of G²",
    default="adjusted",
    choices=("adjusted", "plain"),
    kinds=("categorical",),
    help="Adjusted leaves out states that a stratum does not show; plain counts all declared states.",
    up="",
    down="",
    source="adjusted: Tsamardinos et al. (2006); plain: the textbook test, for parity with other programs",
)
ROWS_PER_CELL = Parameter(
    "rows_per_cell",
    "Rows needed per cell",
    default=0.0,
    low=0.0,
    high=100.0,
    kinds=("categorical",),
    help="A test with fewer rows than this for each cell of its table is not done; its pair counts as independent.",
    up="fewer unreliable tests, more edges lost for lack of rows",
    down="0 tests everything",
    source="0 as in PC-stable; 5 in Tsamardinos et al. (2006) and Gasse et al. (2012)",
)
RULE_OF_FIVE = replace(ROWS_PER_CELL, default=5.0)

SCORE = Parameter(
    "score",
    "Score",
    default="bic",
    choices=("bic", "bdeu"),
    kinds=("categorical",),
    help="What the search makes as large as it can: BIC charges for each free parameter, BDeu averages over them.",
    up="",
    down="",
    source="BIC as in Huang and Zhou (2022); BDeu as in Gasse et al. (2012) and in most Bayesian work",
)
ESS = Parameter(
    "ess",
    "Equivalent sample size of BDeu",
    default=1.0,
    low=0.0,
    high=1e6,
    open_ends=True,
    kinds=("categorical",),
    help="How many rows the uniform prior of BDeu is worth; BIC does not look at it.",
    up="more edges",
    down="fewer edges",
    source="1 in Rohekar et al. (2018); Gasse et al. (2012) use 10",
    unit="rows",
)
MAX_PARENTS = Parameter(
    "max_parents",
    "Most parents of a variable",
    default=12,
    low=1,
    high=100,
    optional=True,
    help="No variable gets more parents than this.",
    up="denser families, each with fewer rows a configuration",
    down="sparser and faster, may miss parents",
    source="our choice: no family of a bundled network has more than 11",
)
RESTARTS = Parameter(
    "restarts",
    "Random restarts",
    default=0,
    low=0,
    high=1_000,
    help="How often to disturb the best graph at random and search on from there.",
    up="better scores, longer runs",
    down="0 stops at the first peak",
    source="0 is plain hill climbing, as in bnlearn",
)
PERTURBATIONS = Parameter(
    "perturbations",
    "Random moves of a restart",
    default=10,
    low=1,
    high=1_000,
    help="How many random changes of one edge a restart makes first.",
    up="leads farther away from the last peak",
    down="often leads back to it",
    source="our choice",
)
TABU_LENGTH = Parameter(
    "tabu_length",
    "Tabu list",
    default=100,
    low=1,
    high=100_000,
    help="The last so many graphs are not visited again.",
    up="drives the search farther away",
    down="the search may circle around one peak",
    source="100 in Gasse et al. (2012) and Huang and Zhou (2022)",
    unit="graphs",
)
PATIENCE = Parameter(
    "patience",
    "Moves without a new best",
    default=100,
    low=1,
    high=100_000,
    help="The search ends after so many moves in a row that reach no new best score.",
    up="better scores, longer runs",
    down="shorter runs",
    source="100 in Huang and Zhou (2022); Gasse et al. (2012) use 15",
    unit="moves",
)
HYBRID_PATIENCE = replace(PATIENCE, default=15)
TIES = Parameter(
    "ties",
    "Ties settled by",
    default="data",
    choices=("data", "columns"),
    help="Two directions of an edge often gain the same; the data, or the order of the columns, say which is tried.",
    up="",
    down="",
    source="data: free of the order of the columns, see Kitson and Constantinou (2024); columns: as bnlearn",
)
