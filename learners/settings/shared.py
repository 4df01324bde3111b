"""Settings that learners of several families have: of tests, scores and searches."""

from dataclasses import replace

from .parameter import Parameter
from .reference import Reference

ALPHA = Parameter(
    "alpha",
    "Significance level",
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
    low=0.0,
    high=100.0,
    kinds=("categorical",),
    help="A test with fewer rows than this for each cell of its table is not done; its pair counts as independent.",
    up="fewer unreliable tests, more edges lost for lack of rows",
    down="0 tests everything",
    source="0 as in PC-stable; 5 in Tsamardinos et al. (2006) and Gasse et al. (2012)",
)
TEST = Parameter(
    "test",
    "Test",
    choices=("g2", "permutation", "semi-parametric", "shrinkage"),
    words=("G²", "permutation", "semi-parametric", "shrinkage"),
    kinds=("categorical",),
    help="G² against χ²; against 1 000 shuffled tables; against χ² with a mean taken from 100 of them; or mutual "
    "information from cells that are drawn towards even ones. Shuffling takes a hundred times as long and more.",
    up="",
    down="",
    source="G²: the usual test; the others for few rows, see the discussion in Gasse et al. (2012)",
)
TEST_OF_BOTH = Parameter(
    "test",
    "Test",
    choices=("dg", "regression"),
    words=("degenerate Gaussian", "regression"),
    kinds=("mixed",),
    help="Degenerate Gaussian takes levels for columns of 0 and 1, as if all were normal. Regression fits two "
    "categorical variables by logistic regression: fewer false links between them where rows are many and a common "
    "cause acts along a curve, at some hundred times the cost of such a test.",
    up="",
    down="",
    source="the first: Andrews et al. (2019), nearly as good and much faster; regression: Tsagris et al. (2018)",
)

SCORE = Parameter(
    "score",
    "Score",
    choices=("bic", "bdeu"),
    words=("BIC", "BDeu"),
    kinds=("categorical",),
    help="What the search makes as large as it can: BIC charges for each free parameter, BDeu averages over them.",
    up="",
    down="",
    source="BIC: as in Huang and Zhou (2022); BDeu: as in Gasse et al. (2012), and with a price for each edge nearer "
    "to the truth on held-out networks",
)
SCORE_OF_NUMBERS = Parameter(
    "score",
    "Score",
    choices=("auto", "ebic", "bic"),
    words=("automatic", "extended BIC", "BIC"),
    kinds=("continuous", "mixed"),
    help="What a free parameter costs, with n rows and p variables: ½ ln n + ln p by extended BIC, ½ ln n by BIC. "
    "Automatic is extended BIC from 15 variables on.",
    up="",
    down="",
    source="BIC: as in the papers; extended BIC: Foygel and Drton (2010), nearer to the truth on held-out networks of "
    "15 variables and more, whatever the rows",
)
ESS = Parameter(
    "ess",
    "Equivalent sample size of BDeu",
    low=0.0,
    high=1e6,
    open_ends=True,
    kinds=("categorical",),
    help="How many rows the uniform prior of BDeu is worth; BIC does not look at it.",
    up="more edges",
    down="fewer edges",
    source="1 in Rohekar et al. (2018); Gasse et al. (2012) use 10",
    unit="rows",
    only_if=("score", "bdeu"),
)
PENALTY = Parameter(
    "penalty",
    "Penalty of BIC",
    low=0.0,
    high=100.0,
    open_ends=True,
    steps=(0.5, 1.0, 1.4, 1.8, 2.2, 2.6, 3.0, 3.4, 3.8, 4.2, 4.6),
    kinds=("categorical",),
    help="What a free parameter costs, in multiples of what BIC charges.",
    up="fewer edges",
    down="more edges",
    source="1 is the BIC itself; Huang and Zhou (2022), appendix D.2, try 1 to 4.6",
    only_if=("score", "bic"),
)
PENALTY_OF_NUMBERS = replace(
    PENALTY,
    kinds=("continuous", "mixed"),
    help="What a free parameter costs, in multiples of what BIC, or extended BIC, charges.",
    only_if=None,
)
EDGE_PENALTY = Parameter(
    "edge_penalty",
    "Penalty of an edge",
    former="edge_price",
    low=0.0,
    high=1e6,
    optional=True,
    suggested=5.0,
    kinds=("categorical",),
    help="What each edge takes off BDeu, as if graphs with fewer edges were likelier from the start. "
    "Automatic: ½ ln n + ln p, with n rows and p variables, which is what extended BIC charges for a parameter. With "
    "0, BDeu joins far too many where rows are few or levels rare.",
    up="fewer edges",
    down="more edges",
    source="0 in Heckerman et al. (1995); automatic is our choice, see benchmarks/README.md: nearer the truth with few "
    "rows and with many, on networks not seen before",
    unit="nats",
    only_if=("score", "bdeu"),
    amount=Reference("scores.bdeu", "default_edge_penalty"),
)
ESS_OF_TEN = replace(ESS, source="10 in Tsamardinos et al. (2006) and Gasse et al. (2012)")
TURNING = Parameter(
    "turning",
    "Turn edges",
    help="After insertions and deletions edges are turned, and all three repeated while one raises the score. Off ends "
    "with the deletions, as in the paper.",
    up="",
    down="",
    source="Hauser and Bühlmann (2012), iterated as in their program pcalg: higher scores",
)
MAX_PARENTS = Parameter(
    "max_parents",
    "Most parents",
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
    low=1,
    high=1_000,
    help="How many random changes of one edge a restart makes first.",
    up="leads farther away from the last peak",
    down="often leads back to it",
    source="our choice",
)
POLISH = Parameter(
    "polish",
    "Polish by GES",
    help="GES goes on from the graph found, whatever the tests allow: edges are added while one raises the score by "
    "more than the least gain, then taken out. Off: as in the paper.",
    up="",
    down="",
    source="our choice, see benchmarks/README.md: on where that led nearer the truth, on networks not seen before",
)
POLISH_GAIN = Parameter(
    "polish_gain",
    "Least polish gain",
    low=0.0,
    high=1e6,
    optional=True,
    suggested=5.0,
    help="The polish joins a pair only if that raises the score by more than this. Automatic: by BDeu ½ ln n + ln p, "
    "with n rows and p variables, which is what extended BIC charges for a parameter; by BIC, which charges by itself, "
    "0. With 0, BDeu joins far too many where rows are few or levels rare.",
    up="fewer edges that no test asked for",
    down="more edges",
    source="our choice, see benchmarks/README.md: nearer the truth with few rows and with many, on networks not seen "
    "before",
    unit="nats",
    only_if=("polish", True),
)
TABU_LENGTH = Parameter(
    "tabu_length",
    "Tabu list",
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
    low=1,
    high=100_000,
    help="The search ends after so many moves in a row that reach no new best score.",
    up="better scores, longer runs",
    down="shorter runs",
    source="100 in Huang and Zhou (2022); Gasse et al. (2012) use 15",
    unit="moves",
)
TIES = Parameter(
    "ties",
    "Ties settled by",
    choices=("data", "columns"),
    by_columns=("columns",),
    help="Two directions of an edge often gain the same; the data, or the order of the columns, say which is tried. By "
    "columns the result depends on their order in the table.",
    up="",
    down="",
    source="data: free of the order of the columns, see Kitson and Constantinou (2024); columns: as bnlearn",
)
COLLIDER_CHECK = Parameter(
    "collider_check",
    "Check v-structures",
    choices=("dependent", "off"),
    words=("ends must depend", "as in the paper"),
    help="Whether the ends of a v-structure must depend once its middle is given, too; the paper has no such test.",
    up="",
    down="",
    source="as in PC-stable; the check costs a test a v-structure and draws fewer arrows, more of them right",
)

TESTS = (TEST, TEST_OF_BOTH, DOF, ROWS_PER_CELL)
SCORES = (SCORE, SCORE_OF_NUMBERS, ESS_OF_TEN)
SCORES_WITH_EDGE_PENALTY = (*SCORES, EDGE_PENALTY)
TABU = (MAX_PARENTS, TABU_LENGTH, PATIENCE)
POLISHING = (POLISH, POLISH_GAIN)
