"""Parameters of RAI and B-RAI."""

from dataclasses import replace

from ...settings.parameter import Parameter
from ...settings.shared import ALPHA, DOF, ESS, MAX_COND_SIZE, TEST_OF_BOTH, TEST_OF_NUMBERS

RAI_CUT = Parameter(
    "cut",
    "Criterion of independence",
    choices=("alpha", "c1", "mi"),
    words=("p is large", "G² is small (C1)", "information is small"),
    kinds=("categorical",),
    help="The criterion of independence: p above alpha, G² below a multiple of its degrees of freedom, or "
    "information below a limit.",
    up="",
    down="",
    source="our choice: the p-value has the fewest errors on samples; C1: Lerner et al. (2013), used by Rohekar et al. "
    "(2018)",
)
C1_FACTOR = Parameter(
    "c1_factor",
    "Factor of C1",
    low=0.0,
    high=1_000.0,
    open_ends=True,
    kinds=("categorical",),
    help="With C1, a pair is independent given a set if G² is below this many times its degrees of freedom.",
    up="fewer edges",
    down="more edges, and many more tests",
    source="1 in Lerner et al. (2013): the expected value of G² under independence",
    only_if=("cut", "c1"),
)
RESAMPLE_FACTOR = Parameter(
    "resample_factor",
    "Test statistic on resamples",
    low=0.0,
    high=1_000.0,
    open_ends=True,
    help="Assumed ratio of the test statistic of independent variables on a resample to that on the data. It corrects "
    "the tests.",
    up="fewer edges, fewer tests",
    down="more edges, and many more tests",
    source="1 tests resamples like the data, as in the paper, with fewer errors on samples. 2 keeps the "
    "level of alpha, since sampling and resampling both contribute (Steck and Jaakkola 2003)",
)
MI_BITS = Parameter(
    "mi_bits",
    "Minimum mutual information",
    low=0.0,
    high=16.0,
    open_ends=True,
    kinds=("categorical",),
    help="With MI, a pair is independent given a set if its mutual information is below this.",
    up="fewer edges",
    down="more edges, and many more tests",
    source="our choice: 0.02 nats gave good results on 500 rows of alarm",
    unit="bits",
    only_if=("cut", "mi"),
)
POOLS = Parameter(
    "pools",
    "Conditioning sets from",
    choices=("parents", "neighbours"),
    help="Sets come from the parents and undirected neighbours of the child of an edge, or from all its neighbours.",
    up="",
    down="",
    source="parents: Yehezkel and Lerner (2009); neighbours: their program, and fewer false edges in our experiments",
)
COLLIDER_CHECK = Parameter(
    "collider_check",
    "Check v-structures",
    choices=("off", "ends", "strict"),
    help="Ends: both ends depend on the middle given their separating set. Strict: they also depend on each other "
    "given this set and the middle.",
    up="",
    down="",
    source="our choice: with perfect tests only off gave wrong graphs, 8 of 600; strict has the fewest errors on "
    "samples",
)
RAI_COND_SIZE = replace(
    MAX_COND_SIZE,
    suggested=3,
    help="Tests condition on at most this many other variables. The levels end by themselves in sparse graphs.",
    source="no limit in Rohekar et al. (2018)",
)
RAI_DOF = replace(DOF, source="plain: Lerner et al. (2013)")
RESAMPLES = Parameter(
    "s",
    "Resamples per group",
    low=1,
    high=20,
    help="Each autonomous group is refined on this many bootstrap samples, recursively.",
    up="more graphs to average; the number of tests grows exponentially with the levels",
    down="fewer graphs; 1 leaves a single one",
    source="2 to 4 in Rohekar et al. (2018)",
)
RESAMPLES_BY = Parameter(
    "s_by",
    "Resamples chosen",
    choices=("number", "data"),
    words=("by number", "by the data"),
    help="By the data, the resamples per group grow from 1 to at most the number above. They stop once the edge "
    "probabilities of the first tree move by less than 5% of its edges.",
    up="",
    down="",
    source="by number: Rohekar et al. (2018)",
)
ROOTS = Parameter(
    "roots",
    "Number of trees",
    low=1,
    high=200,
    help="The first tree begins with the data, the others with resamples; probabilities are averages over all trees.",
    up="more reproducible probabilities, longer runs",
    down="1 is the published algorithm, whose probabilities depend on one seed",
    source="our choice, based on measurements; 1 in Rohekar et al. (2018)",
    unit="trees",
)
TEMPERATURE = Parameter(
    "gamma",
    "Temperature γ",
    low=0.0,
    high=1_000_000.0,
    help="Graphs are sampled from the tree: for each group with probability ∝ exp(score / γ).",
    up="all graphs of the tree become equally frequent",
    down="the best graphs are more frequent; 0 samples only the best",
    source="1: the posterior itself (Rohekar et al. 2018, equation 4)",
)
N_CLASSES = Parameter(
    "k",
    "Number of graphs averaged",
    low=1,
    high=1_000,
    help="Probabilities are averages over the DAGs of this many equivalence classes with the highest scores.",
    up="smoother probabilities, longer runs",
    down="1 uses the best class only",
    source="our choice; Rohekar et al. (2018) vary it in figure 4",
    unit="classes",
)
POLISH = Parameter(
    "polish",
    "Polish of averaged graphs",
    choices=("tabu", "none"),
    words=("tabu search", "none"),
    kinds=("continuous", "mixed"),
    help="A tabu search by score continues from each averaged graph; the graphs it reaches are averaged by their "
    "scores, each edge given all others. The graph then has the edges with P of at least 50%; the tree stays the same.",
    up="",
    down="",
    source="tabu search: our choice, far smaller errors of probabilities on held-out networks. The paper covers "
    "categories only.",
)
POLISH_OF_CATEGORIES = replace(
    POLISH,
    choices=("none", "tabu"),
    words=("none", "tabu search"),
    kinds=("categorical",),
    source="none: Rohekar et al. (2018)",
)
BRAI_ESS = replace(
    ESS,
    help="Weight of the uniform prior of BDeu, the score of the graphs of the tree, as a number of rows.",
    up="probabilities spread over more edges",
    down="probabilities concentrate on fewer edges",
    only_if=None,  # BDeu is the only score of its tree
)
RAI_ALPHA = replace(ALPHA, source="our choice: fewer errors on samples than 0.05", only_if=("cut", "alpha"))
RAI = (
    RAI_CUT,
    RAI_ALPHA,
    C1_FACTOR,
    MI_BITS,
    POOLS,
    COLLIDER_CHECK,
    RAI_COND_SIZE,
    TEST_OF_BOTH,
    TEST_OF_NUMBERS,
    RAI_DOF,
)
BRAI = (
    RESAMPLES,
    RESAMPLES_BY,
    ROOTS,
    TEMPERATURE,
    N_CLASSES,
    POLISH,
    POLISH_OF_CATEGORIES,
    BRAI_ESS,
    RAI_CUT,
    RAI_ALPHA,
    C1_FACTOR,
    RESAMPLE_FACTOR,
    MI_BITS,
    POOLS,
    COLLIDER_CHECK,
    RAI_COND_SIZE,
    RAI_DOF,
)
