"""Meaning of the marks in the graph, and the caveat on causal interpretation."""

from __future__ import annotations

import pandas as pd

CAVEAT = "An arrow has the direction shared by all equivalent graphs. It is causal only without hidden causes."

MARKS_SHOWN = pd.DataFrame(
    [
        ("line with a solid arrowhead", "compelled: same direction in all equivalent graphs"),
        ("plain line", "direction not determined"),
        ("o→, FCI", "at the arrowhead no cause; the circle is open: a cause, or a hidden common cause"),
        ("↔, FCI", "a hidden common cause; neither variable causes the other"),
        ("wider line", "stronger: smaller largest p"),
        ("letter in a coloured badge", "in pPC, PATH and pHGS: cluster of the variable"),
        ("dot at an end", "in LMM: this variable is aware of the other one and conditions on it"),
        ("fainter line, with a number", "less probable: the number is the probability, or the share of resamples"),
        ("dashed outline around variables", "in RAI: group refined at this step"),
        ("very faint line", "removed in one of the last ten steps"),
        ("long dashes, labelled", "removed at the next step"),
        (
            "one head hollow, with ?",
            "direction weakly supported, its evidence conflicts, or graphs with nearly the same score disagree",
        ),
        ("line with =", "one of the two variables determines the other, so neither direction can be learned"),
        ("both heads hollow, with !", "conflicting evidence on the direction"),
        ("star on the curve", "chosen solution"),
        ("hollow point on the curve", "solution that is not a valid CPDAG; cannot be chosen"),
        ("lock", "required by your background knowledge"),
        ("crossed faint line", "forbidden by your background knowledge"),
    ],
    columns=["mark", "meaning"],
)
