"""Settings of FCI."""

from ..settings.parameter import Parameter
from ..settings.shared import ALPHA, MAX_COND_SIZE, TESTS

COLLIDERS = Parameter(
    "colliders",
    "Colliders by",
    choices=("sepset", "conservative", "max"),
    words=("one separating set", "all separating sets", "the largest p-value"),
    help="How to decide whether the middle of three variables is a collider: by the set that separated the ends; by "
    "all sets of their neighbours, which must agree; or by the set with the largest p-value.",
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
    source="the published algorithm does; without these tests it is faster and may keep edges that they remove",
)
FCI = (ALPHA, MAX_COND_SIZE, *TESTS, COLLIDERS, POSSIBLE_D_SEP)
