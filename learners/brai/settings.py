"""Parameters of RAI and B-RAI."""

from dataclasses import replace

from ..settings.parameter import Parameter
from ..settings.shared import ALPHA, DOF, ESS, MAX_COND_SIZE, TEST_OF_BOTH

RAI_CUT = Parameter(
    "cut",
    "Independent if",
    choices=("alpha", "c1", "mi"),
    words=("p is large", "G² is small (C1)", "information is small"),
    kinds=("categorical",),
    help="p is above alpha; G² is below its degrees of freedom times a factor; or information is below a limit.",
    up="",
    down="",
    source="our choice: p errs least on samples; C1: Lerner et al. (2013), used by Rohekar et al. (2018)",
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
    source="1 in Lerner et al. (2013): the bias that chance alone is expected to leave",
    only_if=("cut", "c1"),
)
RESAMPLE_FACTOR = Parameter(
    "resample_factor",
    "G² of chance on resamples",
    low=0.0,
    high=1_000.0,
    open_ends=True,
    kinds=("categorical",),
    help="How many times as large it is as on the data. G² is divided by it for p, the factor of C1 multiplied, "
    "information corrected.",
    up="fewer edges, fewer tests",
    down="more edges, and many more tests",
    source="1 tests resamples like the data, as in the paper, and errs less on samples; 2 keeps the level of alpha: "
    "chance is there once from the sample, once from the resampling (Steck and Jaakkola 2003)",
)
MI_BITS = Parameter(
    "mi_bits",
    "Least mutual information",
    low=0.0,
    high=16.0,
    open_ends=True,
    kinds=("categorical",),
    help="With MI, a pair is independent given a set if they share less information than this.",
    up="fewer edges",
    down="more edges, and many more tests",
    source="our choice: 0.02 nats served well on 500 rows of alarm",
    unit="bits",
    only_if=("cut", "mi"),
)
POOLS = Parameter(
    "pools",
    "Sets drawn from",
    choices=("parents", "neighbours"),
    help="An edge is tested given the parents and undirected neighbours of its child, or given all neighbours.",
    up="",
    down="",
    source="parents: Yehezkel and Lerner (2009); neighbours: their program, and fewer false edges in our experiments",
)
COLLIDER_CHECK = Parameter(
    "collider_check",
    "Check v-structures",
    choices=("off", "ends", "strict"),
    help="ends: both ends depend on the middle given what separated them. strict: and on each other given it, too.",
    up="",
    down="",
    source="our choice: with perfect tests only off gave wrong graphs, 8 of 600; strict errs least on samples",
)
RAI_COND_SIZE = replace(
    MAX_COND_SIZE,
    suggested=3,
    help="Tests condition on at most this many other variables. The levels end by themselves where edges are few.",
    source="no limit in Rohekar et al. (2018)",
)
RAI_DOF = replace(DOF, source="plain: Lerner et al. (2013)")
RESAMPLES = Parameter(
    "s",
    "Resamples of a group",
    low=1,
    high=20,
    help="Every autonomous group is refined on this many bootstrap samples, as is each group found on each of them.",
    up="more graphs to average over; tests grow with the power of the levels",
    down="fewer graphs; 1 leaves a single one",
    source="2 to 4 in Rohekar et al. (2018)",
    kinds=("categorical",),
)
ROOTS = Parameter(
    "roots",
    "Trees averaged",
    low=1,
    high=200,
    help="The first tree begins on the data, the others on resamples of them; probabilities are averages over all.",
    up="probabilities that another seed confirms, more seconds",
    down="1 is the published algorithm, whose probabilities depend on one seed",
    source="our choice, see benchmarks/README.md; 1 in Rohekar et al. (2018)",
    unit="trees",
    kinds=("categorical",),
)
TEMPERATURE = Parameter(
    "gamma",
    "Temperature γ",
    low=0.0,
    high=1_000_000.0,
    help="How graphs are drawn from the tree: at each group with probability ∝ exp(score / γ).",
    up="all graphs of the tree come up alike",
    down="the best graphs come up more often; 0 draws the best alone",
    source="1: the posterior itself (Rohekar et al. 2018, equation 4)",
    kinds=("categorical",),
)
N_CLASSES = Parameter(
    "k",
    "Graphs averaged",
    low=1,
    high=1_000,
    help="Probabilities are averages over the DAGs of so many equivalence classes, those with the highest scores.",
    up="smoother probabilities, more seconds",
    down="1 believes the best class alone",
    source="our choice; Rohekar et al. (2018) vary it in figure 4",
    unit="classes",
    kinds=("categorical",),
)
BRAI_ESS = replace(
    ESS,
    help="How many rows the uniform prior of BDeu is worth, the score of the graphs of the tree.",
    up="probabilities spread over more edges",
    down="probabilities keep to fewer edges",
    only_if=None,  # its tree knows no other score
)
RAI_ALPHA = replace(ALPHA, source="our choice: fewer errors than with 0.05 on samples", only_if=("cut", "alpha"))
BRAI_ALPHA, BRAI_POOLS, BRAI_COLLIDER_CHECK, BRAI_COND_SIZE = (
    replace(one, kinds=("categorical",)) for one in (RAI_ALPHA, POOLS, COLLIDER_CHECK, RAI_COND_SIZE)
)

RAI = (RAI_CUT, RAI_ALPHA, C1_FACTOR, MI_BITS, POOLS, COLLIDER_CHECK, RAI_COND_SIZE, TEST_OF_BOTH, RAI_DOF)
BRAI = (
    RESAMPLES,
    ROOTS,
    TEMPERATURE,
    N_CLASSES,
    BRAI_ESS,
    RAI_CUT,
    BRAI_ALPHA,
    C1_FACTOR,
    RESAMPLE_FACTOR,
    MI_BITS,
    BRAI_POOLS,
    BRAI_COLLIDER_CHECK,
    BRAI_COND_SIZE,
    RAI_DOF,
)
