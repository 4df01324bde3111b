"""Parameters of the learners by mutual information."""

from dataclasses import replace

from ...settings.parameter import Parameter
from ...settings.shared import ALPHA, COLLIDER_CHECK, DOF, MAX_COND_SIZE

AS_PRESET = "preset"
PRESET = Parameter(
    "preset",
    "Configuration",
    choices=("P-1", "P-2", "P-3", "P-4", "MI1", "MI2", "PN1", "PN2"),
    by_columns=("MI1",),
    help="P: χ² tests, plain (1), with I-FDR and FNR (2), PE-FDR and FNR (3) or I-FDR (4); PN: normal "
    "approximation around 10 (1) or 5 mbit (2). MI: a cut of 10 mbit; the result of MI1 depends on the "
    "order of the columns, MI2 begins with the weakest edges.",
    up="",
    down="",
    source="table 2 of Bacciu et al. (2013)",
)
TEST = Parameter(
    "test",
    "Test",
    choices=(AS_PRESET, "p", "mi", "pn", "pn-all"),
    words=("as configured", "p-value", "information", "normal approximation", "normal, given others too"),
    help="A χ² test of the mutual information, or a comparison with the cut. The normal approximation "
    "around the cut is for marginal tests only or for all.",
    up="",
    down="",
    source="as the configuration says",
)
TWF = Parameter(
    "twf",
    "Test the weakest first",
    choices=(AS_PRESET, "on", "off"),
    words=("as configured", "on", "off"),
    by_columns=("off",),
    help="Tests nodes and edges in the order of their information. Off uses the order of the columns, on which the "
    "result then depends.",
    up="",
    down="",
    source="as the configuration says",
)
FNR = Parameter(
    "fnr",
    "False negative reduction",
    choices=(AS_PRESET, "on", "off"),
    words=("as configured", "on", "off"),
    help="Skips tests without the power to detect the effect size; an edge that cannot be tested stays.",
    up="",
    down="",
    source="as the configuration says",
)
FDR = Parameter(
    "fdr",
    "False discovery control",
    choices=(AS_PRESET, "none", "sfdr", "ifdr", "pefdr"),
    words=("as configured", "none", "S-FDR", "I-FDR", "PE-FDR"),
    help=(
        "S-FDR controls at the end, by node, and I-FDR after each order of tests. PE-FDR controls among "
        "the tests of each edge."
    ),
    up="",
    down="",
    source="as the configuration says",
)
CUT = Parameter(
    "cut",
    "Cut μ",
    suggested=10.0,
    low=0.0,
    high=10_000.0,
    optional=True,
    help="Threshold of the mutual information, unless p-values decide; automatic is that of the "
    "configuration. With numeric columns, the part due to chance is subtracted.",
    up="fewer edges",
    down="more edges",
    source="10 mbit, and 5 for PN2, in Bacciu et al. (2013)",
    unit="mbit",
)
BETA = Parameter(
    "beta",
    "False negatives β of FNR",
    low=0.0,
    high=1.0,
    open_ends=True,
    help="A test is performed only if it misses the effect size in at most this share of samples.",
    up="more tests, more missed edges",
    down="fewer tests, more untested edges",
    source="our choice, as strict as the usual level; the paper names none",
)
EFFECT = Parameter(
    "effect",
    "Effect size w",
    suggested=0.1,
    low=1e-4,
    high=10.0,
    optional=True,
    help="The weakest dependence that a test must be able to detect; w² is information in bits, so 0.1 "
    "is 10 mbit. Automatic is 0.2 up to 1,000 rows, decreases to 0.1 at 5,000, and is larger if "
    "many levels require it.",
    up="more tests",
    down="fewer tests, more untested edges",
    source="our choice; the paper leaves it open",
)
EFFECT_BY = Parameter(
    "effect_by",
    "Effect size chosen",
    choices=("given", "cv"),
    words=("as given", "by cross-validation"),
    help="With false negative reduction, w is the one of up to six values whose graphs predict held-out rows best. It "
    "takes 30 times as long.",
    up="",
    down="",
    source="as given: our choice; section 3.2 of Bacciu et al. (2013) names both ways",
)
SCALE = Parameter(
    "scale",
    "Effect size read as",
    choices=("bits", "cohen", "literal"),
    words=("bits", "Cohen's w", "literal"),
    help="Bits: w² is mutual information in bits; Cohen's w is the standard effect size. Literal is "
    "the printed formula, 2 n ln 2 w² against the critical value.",
    up="",
    down="",
    source="bits: the text around algorithm 2 of Bacciu et al. (2013)",
)
Q = Parameter(
    "q",
    "False discoveries q",
    suggested=0.05,
    low=0.0,
    high=1.0,
    open_ends=True,
    optional=True,
    help="Accepted share of false edges among the edges kept. Automatic is the significance level.",
    up="more edges, more false ones",
    down="fewer edges, more missed ones",
    source="the significance level in Bacciu et al. (2013)",
)
FDR_METHOD = Parameter(
    "fdr_method",
    "Line of the control",
    choices=("by", "bh"),
    words=("Benjamini-Yekutieli", "Benjamini-Hochberg"),
    help="Benjamini-Yekutieli is valid under any dependence of the tests; Benjamini-Hochberg has a higher threshold.",
    up="",
    down="",
    source="Benjamini-Yekutieli in table 1 of Bacciu et al. (2013)",
)
LITERAL = Parameter(
    "literal",
    "PE-FDR as printed",
    help="An edge is removed only if none of its tests is rejected. Off removes it if any test is not rejected.",
    up="",
    down="",
    source="off, as printed, keeps edges that one test would remove, and gives more false edges",
)
ORIENT = Parameter(
    "orient",
    "Directions",
    help="Orients v-structures and applies Meek's rules, as PC does. Off leaves the skeleton, as in the paper.",
    up="",
    down="",
    source="our choice: the separating sets are known, and a CPDAG can be compared with other graphs",
)
INFORMATION_ALPHA = replace(ALPHA, source="0.05 in Bacciu et al. (2013)")
INFORMATION_COLLIDER_CHECK = replace(
    COLLIDER_CHECK,
    help="Additional test of a v-structure, which PC lacks. Its ends must be dependent given the "
    "middle and their separating set, at least by the cut.",
    source="our choice: without it few of the proposed v-structures are correct",
)
CHECK_ALPHA = replace(
    ALPHA,
    help="Significance level of the test of v-structures; edges depend only on the cut.",
    up="more v-structures, more false ones",
    down="fewer v-structures, more missed ones",
    source="as CImap",
    only_if=("collider_check", "dependent"),
)
INFORMATION_COND_SIZE = replace(MAX_COND_SIZE, source="as in PC here; Bacciu et al. (2013) set no limit")
MI_CUT = replace(
    CUT,
    optional=False,
    suggested=None,
    help="A pair is separated if its mutual information given some set is below this.",
    source="10 mbit in Bacciu et al. (2013), after Tsamardinos et al. (2006)",
)
ARACNE_TEST = replace(
    TEST,
    choices=("p", "mi"),
    words=("p-value", "information"),
    help="First step: a χ² test of the mutual information of each pair, or comparison of the information with the cut.",
    source="p-value: as run in Bacciu et al. (2013)",
)
ARACNE_CUT = replace(
    MI_CUT, help="Threshold of the mutual information, if the test is by information.", only_if=("test", "mi")
)
ARACNE_FDR = Parameter(
    "fdr",
    "False discovery control",
    choices=("none", "sfdr"),
    words=("none", "S-FDR"),
    help="S-FDR keeps an edge only if the tests of all pairs of both its ends reject independence together. Triangles "
    "are examined afterwards.",
    up="",
    down="",
    source="none: as run in Bacciu et al. (2013); their section 4.5 expects the control to remove false edges",
    only_if=("test", "p"),
)
ARACNE_Q = replace(Q, only_if=("fdr", "sfdr"))
ARACNE_FDR_METHOD = replace(FDR_METHOD, only_if=("fdr", "sfdr"))
TOLERANCE = Parameter(
    "tolerance",
    "Tolerance of triplets",
    low=0.0,
    high=1.0,
    help="The weakest edge of a triangle is removed if it is weaker than both others by at least this share.",
    up="more triangles stay",
    down="0 leaves none",
    source="0 in Margolin et al. (2006) means no tolerance; 1 lets all edges stay",
)
PLAIN_DOF = replace(DOF, source="plain: section 3.1 of Bacciu et al. (2013)")
CIMAP_DOF = replace(
    DOF, source="adjusted: fewer errors on samples; plain: as in the paper, section 3.1 of Bacciu et al. (2013)"
)

CIMAP = (
    PRESET,
    INFORMATION_ALPHA,
    INFORMATION_COND_SIZE,
    CUT,
    TEST,
    TWF,
    FNR,
    FDR,
    Q,
    FDR_METHOD,
    LITERAL,
    BETA,
    EFFECT,
    EFFECT_BY,
    SCALE,
    CIMAP_DOF,
    ORIENT,
    INFORMATION_COLLIDER_CHECK,
)
PC_MI = (MI_CUT, INFORMATION_COND_SIZE, ORIENT, INFORMATION_COLLIDER_CHECK, CHECK_ALPHA)
ARACNE = (
    INFORMATION_ALPHA,
    TOLERANCE,
    ARACNE_TEST,
    ARACNE_CUT,
    ARACNE_FDR,
    ARACNE_Q,
    ARACNE_FDR_METHOD,
    PLAIN_DOF,
)
