"""Every setting of the learners of LEARNERS, declared once and shared by those that have it."""

from dataclasses import replace

from .parameter import Parameter, Way

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
PARTITIONED_COND_SIZE = replace(MAX_COND_SIZE, low=1, optional=False)
CANDIDATE_COND_SIZE = replace(MAX_COND_SIZE, low=1)
BLANKET_COND_SIZE = replace(
    MAX_COND_SIZE,
    help="Tests of two variables within their blankets condition on at most this many others; tests of blankets do not "
    "heed it.",
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
TEST = Parameter(
    "test",
    "Test",
    default="g2",
    choices=("g2", "permutation", "semi-parametric", "shrinkage"),
    kinds=("categorical",),
    help="G² against χ²; against 1 000 shuffled tables; against χ² with a mean taken from 100 of them; or mutual "
    "information from cells that are drawn towards even ones. Shuffling takes a hundred times as long and more.",
    up="",
    down="",
    source="g2: the usual test; the others for few rows, see the discussion in Gasse et al. (2012)",
)
HPC_COND_SIZE = replace(
    MAX_COND_SIZE,
    default=None,
    suggested=3,
    help="No test conditions on more other variables than this. Automatic leaves it to the rows needed per cell.",
    source="no limit in Gasse et al. (2012)",
)
UNRELIABLE = Parameter(
    "unreliable",
    "Tests without enough rows",
    default="literal",
    choices=("literal", "skip"),
    help="Literal: count as independence, so they separate. Skip: separate nothing.",
    up="",
    down="",
    source="literal: Gasse et al. (2012), section 3; destructive where blankets are large",
)
PC_METHOD = Parameter(
    "pc_method",
    "Blankets by",
    default="plain",
    choices=("plain", "fdr"),
    help="Plain: Inter-IAMB, every test at the significance level. fdr: each blanket keeps false discoveries rare.",
    up="",
    down="",
    source="plain: Gasse et al. (2012); fdr: Gasse et al. (2014), after Peña (2008)",
)
TARGET = Parameter(
    "target",
    "Variable",
    default="",
    column=True,
    help="The variable whose neighbours and Markov blanket are sought.",
    up="",
    down="",
    source="the first column",
)

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
    only_if=("score", "bdeu"),
)
PENALTY = Parameter(
    "penalty",
    "Penalty of BIC",
    default=1.0,
    low=0.0,
    high=100.0,
    open_ends=True,
    rungs=(0.5, 1.0, 1.4, 1.8, 2.2, 2.6, 3.0, 3.4, 3.8, 4.2, 4.6),
    help="What a free parameter costs, in multiples of the ½ ln n of BIC; BDeu does not look at it.",
    up="fewer edges",
    down="more edges",
    source="1 is BIC; Huang and Zhou (2022), appendix D.2, try 1 to 4.6",
)
BDEU = replace(SCORE, default="bdeu")
ESS_OF_TEN = replace(ESS, default=10.0, source="10 in Tsamardinos et al. (2006) and Gasse et al. (2012)")
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

PATH_ALPHA = replace(
    ALPHA,
    default=0.1,
    help="The run that all solutions are read from keeps an edge unless one test has p above this level.",
    source="0.1 in Huang and Zhou (2022) for PATH",
)
TAU = Parameter(
    "tau",
    "Most solutions",
    default=10,
    low=2,
    high=10_000,
    help="The evidence of the one run is cut at up to this many thresholds, the edges falling in equal steps.",
    up="a finer choice of density, a little more scoring",
    down="a coarser choice",
    source="10 in Huang and Zhou (2022)",
    unit="graphs",
)
ALPHA_MIN = Parameter(
    "alpha_min",
    "Last threshold",
    default=1e-5,
    low=0.0,
    high=1.0,
    help="The sparsest solution keeps the edges whose largest p is at most this; it lies below the significance level.",
    up="the sparsest solution has more edges",
    down="the sparsest solution has fewer edges",
    source="1e-5 in Huang and Zhou (2022)",
)
PATH_SKELETON = Parameter(
    "skeleton",
    "Tests done by",
    default="ppc",
    choices=("ppc", "pc"),
    help="pPC tests inside clusters of variables first, PC-stable all pairs alike.",
    up="",
    down="",
    source="ppc: Huang and Zhou (2022), algorithm 3 after algorithm 2",
)
SKELETON = Parameter(
    "skeleton",
    "Pairs that may be joined",
    default="ppc",
    choices=("ppc", "pc", "mmpc", "fast_iamb", "si_hiton_pc", "hpc"),
    help="The learner whose tests say so.",
    up="",
    down="",
    source="ppc: Huang and Zhou (2022); mmpc from the empty graph is MMHC, hpc is H2PC",
)
START = Parameter(
    "start",
    "The search begins with",
    default="hgi",
    choices=("hgi", "empty"),
    help="hgi orients the allowed pairs greedily by the score first; empty begins without edges.",
    up="",
    down="",
    source="hgi: Huang and Zhou (2022), algorithm 4; empty: sparse candidates as in Tsamardinos et al. (2006)",
)

ARGES_ALPHA = replace(
    ALPHA,
    default=0.01,
    help="The tests part a pair as soon as one has p above this level.",
    source="0.01 in Huang and Zhou (2022), appendix D.2",
)
RESTRICTION = Parameter(
    "restriction",
    "Pairs that may be joined",
    default="skeleton",
    choices=("skeleton", "cig"),
    kinds=("continuous",),
    help="Those that pPC leaves joined, or those that are dependent given all other columns (conditional independence "
    "graph); beside them pairs whose edge shields an unshielded triple, or a v-structure.",
    up="",
    down="",
    source="both in Nandy, Hauser and Maathuis (2018); skeleton with hgi in Huang and Zhou (2022), appendix D.2",
)

OMEGA = Parameter(
    "omega",
    "Relaxation ω",
    default=1e-6,
    low=1e-12,
    high=1.0,
    rungs=(1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 1.0),
    help="Of an edge, only the end with the higher one-sided CPPD conditions on the other, if the two differ by more.",
    up="more nodes condition on all their neighbours; 1 relaxes nothing, as LMM-1",
    down="hubs condition on fewer neighbours and keep more of their edges",
    source="1e-6 in Mahdi and Mezey (2013)",
    kinds=("continuous",),
)
GAMMA = Parameter(
    "gamma",
    "Threshold γ of the joint CPPD",
    default=0.0,
    low=0.0,
    high=0.999999,
    help="Edges with a joint CPPD of at most this are not added and not kept. 0 ranks all and keeps those above 0.03.",
    up="fewer edges",
    down="more edges",
    source="0, a ranking, in most experiments of Mahdi and Mezey (2013)",
    kinds=("continuous",),
)
MAX_SIZE = Parameter(
    "max_size",
    "Most edges added",
    default=None,
    suggested=100,
    low=1,
    high=10_000_000,
    optional=True,
    help="Forward selection ends here. Automatic is 2.5 edges a variable, and no limit if there is a threshold γ.",
    up="a longer ranking, longer runs",
    down="a shorter ranking; true edges may be missing from it",
    source="2.5 a variable in Mahdi and Mezey (2013), section 7.2",
    unit="edges",
    kinds=("continuous",),
)
MIN_SIZE = Parameter(
    "min_size",
    "Edges left",
    default=0,
    low=0,
    high=10_000_000,
    help="The graph keeps at least this many edges; the ranking goes on to the last one all the same.",
    up="more edges",
    down="0 leaves the choice to the threshold",
    source="0 in Mahdi and Mezey (2013), section 6.3.2",
    unit="edges",
    kinds=("continuous",),
)
LMM_COND_SIZE = Parameter(
    "max_cond_size",
    "Largest conditioning set",
    default=4,
    low=0,
    high=12,
    help="Partial correlations account for at most this many neighbours.",
    up="explains more away, but takes longer and needs more rows",
    down="faster, may leave edges that a larger set explains away",
    source="4 in Mahdi and Mezey (2013); 6 in their experiment with 10 000 rows",
    kinds=("continuous",),
)
OPT_EVERY = Parameter(
    "opt_every",
    "Additions between optimisations",
    switch="Optimise on the way",
    default=3,
    low=1,
    high=1_000_000,
    optional=True,
    help="After so many additions the weakest edge may go, one node hear of a neighbour, and one forget a neighbour.",
    up="fewer corrections on the way",
    down="more corrections, slower",
    source="3 in Mahdi and Mezey (2013), algorithm 2",
    kinds=("continuous",),
)
COOLDOWN = Parameter(
    "cooldown",
    "Rest of a new edge",
    default=10,
    low=0,
    high=1_000_000,
    help="A new edge is left alone by the optimisations for so many additions.",
    up="new edges stay longer, whatever comes after them",
    down="an edge may come and go in circles",
    source="10 in Mahdi and Mezey (2013), section 6.3",
    unit="additions",
    kinds=("continuous",),
)
PRIOR = Parameter(
    "prior",
    "Prior share of dependent pairs",
    default=None,
    suggested=0.05,
    low=0.0,
    high=1.0,
    open_ends=True,
    optional=True,
    help="How likely any two variables are dependent beforehand. Automatic halves the share that fits the data best.",
    up="higher CPPD everywhere, more edges above a threshold",
    down="lower CPPD everywhere, fewer edges above a threshold",
    source="estimated in Mahdi and Mezey (2013), section 6.1.1",
    kinds=("continuous",),
)
CRITERION = Parameter(
    "criterion",
    "Joint CPPD",
    default="product",
    choices=("product", "minimum"),
    help="Product counts the evidence of both ends of an edge, minimum only that of the weaker end, as PC does.",
    up="",
    down="",
    source="product: Mahdi and Mezey (2013), equation 4; minimum with ω = 1 is their LMM-2",
    kinds=("continuous",),
)
ORIENTATION = Parameter(
    "orientation",
    "Directions",
    default="lmm_eo",
    choices=("lmm_eo", "lmm_eo_random", "pc", "none"),
    help="By induced dependence, the surest v-structure first or any first; by separating sets as in PC; or none.",
    up="",
    down="",
    source="lmm_eo: Mahdi and Mezey (2013), algorithm 3",
    kinds=("continuous",),
)
LMM_WAYS = (
    Way(
        "Ranking",
        "Every edge joined gets a rank; you choose afterwards, with the slider, how many to believe.",
        fixed={"gamma": 0.0, "min_size": 0},
    ),
    Way(
        "Number of edges",
        "You know roughly how many edges there are: the strongest so many stay.",
        fixed={"gamma": 0.0},
        start={"min_size": 30},
    ),
    Way(
        "Threshold",
        "An edge stays if it is surer than γ, as with the significance level of a test.",
        fixed={"min_size": 0},
        start={"gamma": 0.1},
    ),
)
