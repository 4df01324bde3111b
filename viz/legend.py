"""The marks of the graph with their meaning, and the caveat on causal reading."""

from __future__ import annotations

import pandas as pd

CAVEAT = (
    "An arrow points the way on which all graphs that fit equally well agree. It is a cause only if nothing that "
    "matters was left out."
)

MARKS_SHOWN = pd.DataFrame(
    [
        ("line with a solid arrowhead", "compelled: it points this way in every graph that fits"),
        ("plain line", "its direction is open"),
        ("wider line", "stronger: its largest p is smaller"),
        ("letter in a coloured badge", "in pPC, PATH and pHGS: the cluster that the variable belongs to"),
        ("dot at an end", "in LMM: the variable at that end is aware of the other, and conditions on it"),
        ("fainter line, with a number", "less probable: the number is its probability, or its share of resamples"),
        ("dashed outline around variables", "in RAI: the group that is being refined at this step"),
        ("very faint line", "left in one of the last ten steps"),
        ("long dashes, labelled", "leaves at the next step"),
        ("both heads hollow, with !", "conflict: the evidence implies both directions"),
        ("star on the curve", "the solution that was chosen"),
        ("hollow point on the curve", "a solution whose arrows no DAG has; it can't be chosen"),
        ("lock", "required by your background knowledge"),
        ("crossed faint line", "forbidden by your background knowledge"),
    ],
    columns=["mark", "meaning"],
)
