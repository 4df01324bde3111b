"""The field's words, said plainly; and the marks of the graph."""

from __future__ import annotations

import pandas as pd

CAVEAT = (
    "An arrow points the way on which all graphs that fit equally well agree. It is a cause only if nothing that "
    "matters was left out."
)
GLOSSARY = {
    "alpha": "the significance level. A pair is taken as independent as soon as one test has p above alpha.",
    "autonomous group": "in RAI, variables that can be refined alone, given their parents outside the group.",
    "awareness": "in LMM, a variable aware of a neighbour conditions on it; a dot at its end of the edge says so.",
    "Bayesian network": "a DAG together with a distribution that respects its independences.",
    "bootstrap": "rows drawn anew with replacement, as many as there are: what another sample might have looked like.",
    "C1": "in RAI, a pair counts as independent if its G² is below its degrees of freedom, its mean under chance.",
    "CD": "in LMM, how much more dependent two variables become once the variable between them is accounted for.",
    "cluster": "in pPC and pHGS, variables that tell much about one another; tests begin inside clusters.",
    "compelled edge": "an edge that points the same way in every DAG of the equivalence class.",
    "conditioning set": "the variables held fixed in a test: within groups of equal values, is a link left?",
    "CPPD": "in LMM, the probability that two variables depend on one another given others; joint: by both ends' sets.",
    "CPDAG": "the graph of an equivalence class: arrows where its DAGs agree, plain lines where they do not.",
    "d-separation": "the rule that reads independences off a DAG.",
    "DAG": "a directed graph without directed cycles.",
    "decentralised search": "in HPC, a neighbour that one variable's search missed is taken over from the other's.",
    "degenerate Gaussian test": "the test for columns of both kinds: a category enters as a column of 0 and 1 a level.",
    "degrees of freedom": "in how many ways a table can deviate; the more, the larger the G² that gives the same p.",
    "false discovery": "a link found by chance; to limit their share each p must be smaller, the more tests there are.",
    "Fisher's z": "the test of a partial correlation, for numbers.",
    "generative tree": "in B-RAI, every refinement of every group on each resample; each way through it is a graph.",
    "G²": "the likelihood-ratio test of independence in a contingency table, for categories.",
    "level": "in PC, the size of the conditioning sets being tried; also a value of a categorical variable.",
    "Markov blanket": "parents, children and the children's other parents; given these, the rest tells nothing more.",
    "Meek's rules": "four rules that orient further edges once the v-structures are known.",
    "p-value": "how often chance alone would give a deviation at least this large, if the two were independent.",
    "permutation test": "a statistic held against what it becomes when one variable is shuffled within each group.",
    "posterior probability": "how sure something is given the data: the weighted share of the graphs that say so.",
    "sepset": "the set that made a pair independent, and so removed its edge.",
    "SHD": "structural Hamming distance: number of pairs whose edge differs between two graphs; 0 means equal.",
    "shrinkage": "estimates drawn towards even shares, the more so the fewer the rows; steadier in small samples.",
    "skeleton": "the edges without their directions.",
    "solution path": "in PATH, the graphs of one run at ever stricter levels of alpha; the best scored is chosen.",
    "statistical call": "one test, one local difference of scores, or one measure of shared information for clusters.",
    "superset": "in HPC, all that may be neighbours after tests given at most one variable; spouses get their own.",
    "temperature γ": "in B-RAI, how freely graphs are drawn from the tree: 0 draws the best alone.",
    "v-structure": "two variables that are not joined both point at a third: the one pattern whose direction shows.",
    "Φ": "the largest p of all tests done for a pair: how close it came to being explained away.",
}

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
