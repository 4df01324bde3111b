"""Parameters of LMM."""

from dataclasses import replace

from ...settings.parameter import OrderConstraint, Parameter, Preset

OMEGA = Parameter(
    "omega",
    "Relaxation ω",
    low=1e-12,
    high=1.0,
    steps=(1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 1.0),
    help="Each end of an edge has its own probability of dependence (CPPD). If these differ by more than ω, tests of "
    "the weaker end no longer condition on the other.",
    up="nodes condition on more of their neighbours; relaxation is off at 1",
    down="hubs condition on fewer neighbours and keep more of their edges",
    source="1e-6 in Mahdi and Mezey (2013)",
)
GAMMA = Parameter(
    "gamma",
    "Threshold γ of the joint CPPD",
    low=0.0,
    high=0.999999,
    help="Edges with a joint CPPD of at most this are removed; with categories, the joint CPPD is no probability. "
    "0 ranks all edges and keeps those above 0.03, or above 0.003 in categorical tables.",
    up="fewer edges",
    down="more edges",
    source="0: a ranking, as in most experiments of Mahdi and Mezey (2013)",
)
Q = Parameter(
    "q",
    "False discovery rate q",
    switch="Control false discoveries",
    suggested=0.05,
    low=0.0,
    high=1.0,
    open_ends=True,
    optional=True,
    help="Elimination continues until the expected share of false edges is at most this. It is estimated "
    "from the largest p of each edge.",
    up="more edges, more of them false",
    down="fewer edges, more missed ones",
    source="an option in Mahdi and Mezey (2013), section 6.2; Benjamini and Hochberg (1995) on the largest p of each "
    "pair, as in Tsamardinos and Brown (2008)",
)
MAX_SIZE = Parameter(
    "max_size",
    "Maximum edges added",
    suggested=100,
    low=1,
    high=10_000_000,
    optional=True,
    help="Forward selection ends after this many edges. Automatic is 2.5 edges for each variable, or no limit with a "
    "threshold γ.",
    up="a longer ranking, longer runs",
    down="a shorter ranking; true edges may be missing",
    source="2.5 for each variable in Mahdi and Mezey (2013), section 7.2",
    unit="edges",
)
MIN_SIZE = Parameter(
    "min_size",
    "Edges left",
    low=0,
    high=10_000_000,
    help="The graph keeps at least this many edges; the ranking still continues to the last edge.",
    up="more edges",
    down="0 leaves the choice to the threshold",
    source="0 in Mahdi and Mezey (2013), section 6.3.2",
    unit="edges",
)
LMM_COND_SIZE = Parameter(
    "max_cond_size",
    "Largest conditioning set",
    low=0,
    high=12,
    help="Tests condition on at most this many neighbours.",
    up="separates more pairs, takes longer and needs more rows",
    down="faster; edges may stay that a larger set would separate",
    source="4 in Mahdi and Mezey (2013); 6 in their experiment with 10,000 rows",
)
OPT_EVERY = Parameter(
    "opt_every",
    "Additions between optimisations",
    switch="Correct earlier edges during the run",
    low=1,
    high=1_000_000,
    optional=True,
    help="After this many additions, optimisations correct earlier edges. They may remove the weakest edge, or "
    "change on which neighbours the tests of a node condition.",
    up="fewer optimisations",
    down="more optimisations, slower",
    source="3 in Mahdi and Mezey (2013), algorithm 2",
)
COOLDOWN = Parameter(
    "cooldown",
    "Protection of a new edge",
    low=0,
    high=1_000_000,
    help="The optimisations do not change a new edge for this many additions.",
    up="new edges stay longer",
    down="an edge may be added and removed repeatedly",
    source="10 in Mahdi and Mezey (2013), section 6.3",
    unit="additions",
)
PRIOR = Parameter(
    "prior",
    "Prior share of dependent pairs",
    suggested=0.05,
    low=0.0,
    high=1.0,
    open_ends=True,
    optional=True,
    help="Prior probability that two variables are dependent. Automatic is half the share that fits the data best.",
    up="higher CPPD everywhere, more edges above a threshold",
    down="lower CPPD everywhere, fewer edges above a threshold",
    source="estimated in Mahdi and Mezey (2013), section 6.1.1",
)
CRITERION = Parameter(
    "criterion",
    "Joint CPPD",
    choices=("product", "minimum"),
    help="Product combines the evidence of both ends of an edge; minimum uses the weaker end only, as in PC.",
    up="",
    down="",
    source="product: Mahdi and Mezey (2013), equation 4; minimum with ω = 1 is their LMM-2",
)
ORIENTATION = Parameter(
    "orientation",
    "Directions",
    choices=("lmm_eo", "lmm_eo_random", "boss", "ges", "pc", "none"),
    words=("strongest first", "random order", "BOSS in the skeleton", "GES in the skeleton", "by sepsets", "none"),
    kinds=("continuous", "mixed"),
    help="By induced dependence, the strongest v-structure first or in random order; by the best score that BOSS or "
    "GES finds within the skeleton; by separating sets as in PC; or none.",
    up="",
    down="",
    source="strongest first: Mahdi and Mezey (2013), algorithm 3",
)
ORIENTATION_OF_CATEGORIES = replace(
    ORIENTATION,
    choices=("boss", "ges", "lmm_eo", "lmm_eo_random", "pc", "none"),
    words=("BOSS in the skeleton", "GES in the skeleton", "strongest first", "random order", "by sepsets", "none"),
    kinds=("categorical",),
    source="BOSS in the skeleton: our choice, more accurate on held-out networks. The paper covers numbers only.",
)
LMM_PRESETS = (
    Preset(
        "Ranking",
        "Ranks all edges that were added; choose afterwards with the slider how many to keep.",
        fixed={"gamma": 0.0, "min_size": 0, "q": None},
    ),
    Preset(
        "Number of edges",
        "Keeps a given number of edges, the strongest ones.",
        fixed={"gamma": 0.0, "q": None},
        start={"min_size": 30},
    ),
    Preset(
        "Threshold",
        "Keeps the edges with a joint CPPD (evidence of dependence, 0 to 1) above γ. A larger γ keeps fewer edges.",
        fixed={"min_size": 0, "q": None},
        start={"gamma": 0.1},
    ),
    Preset(
        "False discoveries",
        "Keeps as many edges as possible while at most a share q of them is expected to be false.",
        fixed={"gamma": 0.0, "min_size": 0},
        start={"q": 0.05},
    ),
)

LMM = (
    OMEGA,
    GAMMA,
    Q,
    MAX_SIZE,
    MIN_SIZE,
    LMM_COND_SIZE,
    OPT_EVERY,
    COOLDOWN,
    PRIOR,
    CRITERION,
    ORIENTATION,
    ORIENTATION_OF_CATEGORIES,
)
SIZES_IN_ORDER = OrderConstraint("min_size", "max_size", or_equal=True)
