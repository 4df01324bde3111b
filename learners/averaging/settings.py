"""Settings of the bootstrap."""

from ..settings.parameter import Parameter

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
