"""Settings of tests, scores and searches that several families of learners share."""

from dataclasses import replace

from .parameter import Parameter
from .reference import Reference

HIDDEN_SHARES = (0.1, 0.5, 0.9)  # allowed shares of simulated tables with hidden common causes
ALPHA = Parameter(
    "alpha",
    "Significance level",
    low=0.0,
    high=1.0,
    open_ends=True,
    help="A test with a p-value above this level removes the edge of its pair.",
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
    up="more separations; tests have less power, and runs take longer",
    down="faster; edges may stay that a larger set would remove",
    source="m = 3 in Huang and Zhou (2022)",
)
DOF = Parameter(
    "dof",
    "Degrees of freedom of G²",
    choices=("adjusted", "plain"),
    kinds=("categorical",),
    help="Adjusted counts only the levels that occur in each stratum of the conditioning set; plain counts all levels.",
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
    help="Tests with fewer rows than this for each cell of the table are skipped; their pairs count as independent.",
    up="fewer unreliable tests, more missed edges",
    down="at 0 all tests run",
    source="0 as in PC-stable; 5 in Tsamardinos et al. (2006) and Gasse et al. (2012)",
)
TEST = Parameter(
    "test",
    "Test",
    choices=("g2", "x2", "permutation", "semi-parametric", "shrinkage"),
    words=("G²", "Pearson's X²", "permutation", "semi-parametric", "shrinkage"),
    kinds=("categorical",),
    help="G² includes a trend test for ordered levels up to 1,000 rows; Pearson's X² suits columns of "
    "many levels; shrinkage estimates the mutual information. The permutation test (1,000 permutations) and the "
    "semi-parametric one (100) take at least a hundred times as long.",
    up="",
    down="",
    source="G²: the standard test; the others are for few rows, see the discussion in Gasse et al. (2012)",
)
CURVES = (
    "Basis functions (polynomials of ranks) also find curved relations between numbers, but need more rows for weak "
    "ones"
)
SOURCE_OF_BASIS = "basis functions: our choice, based on measurements"
TEST_OF_BOTH = Parameter(
    "test",
    "Test",
    choices=("dg", "regression", "basis"),
    words=("degenerate Gaussian", "regression", "basis functions"),
    kinds=("mixed",),
    help="Degenerate Gaussian treats levels as indicator columns; regression finds fewer false edges if common causes "
    "act nonlinearly, but takes about a hundred times as long. "
    "Basis functions (polynomials of ranks) find curved relations between numbers.",
    up="",
    down="",
    source="degenerate Gaussian: Andrews et al. (2019), nearly as accurate as regression; regression: Tsagris et al. "
    f"(2018); {SOURCE_OF_BASIS}",
)
TEST_OF_NUMBERS = Parameter(
    "test",
    "Test",
    choices=("z", "basis"),
    words=("Fisher's z", "basis functions"),
    kinds=("continuous",),
    help=f"Fisher's z tests for linear relations. {CURVES}.",
    up="",
    down="",
    source=f"Fisher's z: as in the papers; {SOURCE_OF_BASIS}",
)

SCORE = Parameter(
    "score",
    "Score",
    choices=("bic", "bdeu"),
    words=("BIC", "BDeu"),
    kinds=("categorical",),
    help="The score that the search maximises: BIC has a penalty for each free parameter, BDeu averages over the "
    "parameters.",
    up="",
    down="",
    source="BIC: as in Huang and Zhou (2022); BDeu: as in Gasse et al. (2012), and with a penalty for each edge more "
    "accurate on held-out networks",
)
SCORE_WITH_RANKS = replace(
    SCORE,
    choices=("bic", "bdeu", "ranks"),
    words=("BIC", "BDeu", "BIC of ranks"),
    help="BIC has a penalty for each free parameter; BDeu averages over the parameters. BIC of ranks treats the ranks "
    "of ordered levels as numbers, for tables in which most levels have an order.",
    source=f"{SCORE.source}; ranks: our choice, based on Andrews et al. (2019) and on measurements",
)
SCORE_OF_NUMBERS = Parameter(
    "score",
    "Score",
    choices=("auto", "ebic", "bic"),
    words=("automatic", "extended BIC", "BIC"),
    kinds=("continuous", "mixed"),
    help="Extended BIC finds fewer false edges among many variables: it adds ln p to the penalty ½ ln n of each "
    "parameter (n rows, p variables). Automatic is extended BIC from 15 variables on.",
    up="",
    down="",
    source="BIC: as in the papers; extended BIC: Foygel and Drton (2010), more accurate on held-out "
    "networks with 15 variables and more",
)
SCORE_WITH_BASIS = replace(
    SCORE_OF_NUMBERS,
    choices=("auto", "ebic", "bic", "basis"),
    words=("automatic", "extended BIC", "BIC", "BIC of basis functions"),
    help="Extended BIC, automatic from 15 variables on, finds fewer false edges among many variables: it adds ln p to "
    f"the penalty ½ ln n of each parameter (n rows, p variables). {CURVES}.",
    source=f"{SCORE_OF_NUMBERS.source}; {SOURCE_OF_BASIS}",
)
ESS = Parameter(
    "ess",
    "Equivalent sample size of BDeu",
    low=0.0,
    high=1e6,
    open_ends=True,
    kinds=("categorical",),
    help="Weight of the uniform prior of BDeu, as a number of rows; it has no effect on BIC.",
    up="more edges",
    down="fewer edges",
    source="1 in Rohekar et al. (2018); Gasse et al. (2012) use 10",
    unit="rows",
    only_if=("score", "bdeu"),
)
PENALTY = Parameter(
    "penalty",
    "Penalty factor",
    low=0.0,
    high=100.0,
    open_ends=True,
    steps=(0.5, 1.0, 1.4, 1.8, 2.2, 2.6, 3.0, 3.4, 3.8, 4.2, 4.6),
    kinds=("categorical",),
    help="Penalty of a free parameter, in multiples of that of BIC.",
    up="fewer edges",
    down="more edges",
    source="1 is the usual penalty; Huang and Zhou (2022), appendix D.2, use 1 to 4.6",
    only_if=("score", "bic"),
)
PENALTY_OF_NUMBERS = replace(
    PENALTY,
    kinds=("continuous", "mixed"),
    help="Penalty of a free parameter, in multiples of that of BIC or extended BIC.",
    only_if=None,
)
EDGE_PENALTY = Parameter(
    "edge_penalty",
    "Penalty per edge",
    former="edge_price",
    low=0.0,
    high=1e6,
    optional=True,
    suggested=5.0,
    kinds=("categorical",),
    help="Penalty of each edge in BDeu; automatic is ½ ln n + ln p with n rows and p variables. With 0, BDeu adds far "
    "too many edges if rows are few or levels are rare.",
    up="fewer edges",
    down="more edges",
    source="0 in Heckerman et al. (1995); automatic is our choice, based on measurements: more accurate with few "
    "rows and with many, on held-out networks",
    unit="nats",
    only_if=("score", "bdeu"),
    amount=Reference("scores.bdeu", "default_edge_penalty"),
)
ESS_OF_TEN = replace(ESS, source="10 in Tsamardinos et al. (2006) and Gasse et al. (2012)")
TURNING = Parameter(
    "turning",
    "Turn edges",
    help="Edges are also turned after insertions and deletions, and all three steps are repeated while the score "
    "rises. Off ends with the deletions, as in the paper.",
    up="",
    down="",
    source="Hauser and Bühlmann (2012), iterated as in their program pcalg: higher scores",
)
MAX_PARENTS = Parameter(
    "max_parents",
    "Maximum parents",
    low=1,
    high=100,
    optional=True,
    help="Largest number of parents of a variable.",
    up="denser graphs, with fewer rows for each configuration of parents",
    down="sparser graphs and faster runs; parents may be missing",
    source="our choice: in the sample networks, no variable has more than 11 parents",
)
RESTARTS = Parameter(
    "restarts",
    "Random restarts",
    low=0,
    high=1_000,
    help="Number of times that the search starts again from the best graph, after random moves.",
    up="better scores, longer runs",
    down="at 0 the search ends at the first local maximum",
    source="0 is plain hill climbing, as in bnlearn",
)
RESTARTS_OF_ORDERS = replace(
    RESTARTS,
    optional=True,
    suggested=20,
    help="Number of restarts from the best order, with some variables moved to random places. Automatic restarts end "
    "once the best score has come up 15 times, or after 40 restarts; earlier in wide tables.",
    down="at 0 the search ends at the first order that no move of one variable improves",
    source="automatic: our choice, based on measurements",
)
PERTURBATIONS = Parameter(
    "perturbations",
    "Random moves of a restart",
    low=1,
    high=1_000,
    help="Number of random changes of one edge at each restart.",
    up="starts farther from the last local maximum",
    down="often returns to it",
    source="our choice",
)
SEARCH = Parameter(
    "search",
    "Search in the skeleton",
    choices=("tabu", "optimal"),
    words=("tabu search", "tabu search, then the optimum"),
    help="The optimum has the highest score of all DAGs within the skeleton. It is found in each connected part of at "
    "most 25 variables.",
    up="",
    down="",
    source="tabu search: the published learners; optimum: Perrier, Imoto and Miyano (2008)",
)
POLISH = Parameter(
    "polish",
    "Polish by GES",
    help="GES continues from the graph without the restriction by tests: it adds edges that raise the "
    "score by more than the least gain, then removes edges. Off is the published algorithm.",
    up="",
    down="",
    source="our choice, based on measurements: switched on where it was more accurate on held-out networks",
)
POLISH_GAIN = Parameter(
    "polish_gain",
    "Minimum polish gain",
    low=0.0,
    high=1e6,
    optional=True,
    suggested=5.0,
    help="The polish adds an edge only if the score rises by more than this. Automatic is ½ ln n + ln p for BDeu, with "
    "n rows and p variables, and 0 for BIC.",
    up="fewer edges that tests do not support",
    down="more edges",
    source="our choice, based on measurements: more accurate with few rows and with many, on held-out networks",
    unit="nats",
    only_if=("polish", True),
)
TABU_LENGTH = Parameter(
    "tabu_length",
    "Tabu list",
    low=1,
    high=100_000,
    help="Number of recent graphs that the search does not visit again.",
    up="the search moves farther from its best graph",
    down="the search may cycle around one local maximum",
    source="100 in Gasse et al. (2012) and Huang and Zhou (2022)",
    unit="graphs",
)
PATIENCE = Parameter(
    "patience",
    "Moves without a new best",
    low=1,
    high=100_000,
    help="The search ends after this many moves in a row without a new best score.",
    up="better scores, longer runs",
    down="shorter runs",
    source="100 in Huang and Zhou (2022); Gasse et al. (2012) use 15",
    unit="moves",
)
TIES = Parameter(
    "ties",
    "Ties broken by",
    choices=("data", "columns"),
    by_columns=("columns",),
    help="Both directions of an edge often raise the score equally; the data or the order of the columns decide. "
    "With columns, the result depends on their order in the table.",
    up="",
    down="",
    source="data: independent of the order of the columns, see Kitson and Constantinou (2024); columns: as in bnlearn",
)
COLLIDER_CHECK = Parameter(
    "collider_check",
    "Check v-structures",
    choices=("dependent", "off"),
    words=("ends must depend", "off"),
    help="Additional test of a v-structure: its ends must be dependent given the middle and their separating set. "
    "It costs one test for each v-structure, and finds fewer, more accurate arrows.",
    up="",
    down="",
    source="off as in PC-stable",
)

AVAILABLE = "available"
MISSING = Parameter(
    "missing",
    "Missing cells",
    choices=("auto", AVAILABLE),
    words=("EM or imputation", "only the rows that have them"),
    help="EM (tables with numbers) uses all observed cells; imputation (other tables) draws the missing ones; both "
    "assume that missingness depends only on observed cells. “Only the rows that have them” uses the rows complete "
    "for the variables of each test or score; it assumes cells missing completely at random.",
    up="",
    down="",
    source="EM or imputation: Friedman (1998), more accurate in Edgewise's benchmarks",
)

TESTS = (TEST, TEST_OF_BOTH, TEST_OF_NUMBERS, DOF, ROWS_PER_CELL)
SCORES = (SCORE_WITH_RANKS, SCORE_WITH_BASIS, ESS_OF_TEN)
SCORES_WITH_EDGE_PENALTY = (*SCORES, EDGE_PENALTY)
TABU = (MAX_PARENTS, TABU_LENGTH, PATIENCE)
WITHIN_SKELETON = (*TABU, SEARCH, POLISH, POLISH_GAIN)
POLISHING = (POLISH, POLISH_GAIN)
