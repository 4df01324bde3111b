"""The field's words, said plainly; and the marks of the graph."""

from __future__ import annotations

import pandas as pd

CAVEAT = (
    "An arrow points the way on which all graphs that fit equally well agree. It is a cause only if nothing that "
    "matters was left out."
)
GLOSSARY = {
    "adjustment set": "variables held fixed so that what is left between cause and effect is the effect.",
    "alpha": "the significance level. A pair is taken as independent as soon as one test has p above alpha.",
    "autonomous group": "in RAI, variables that can be refined alone, given their parents outside the group.",
    "awareness": "in LMM, a variable aware of a neighbour conditions on it; a dot at its end of the edge says so.",
    "back-door path": "a path that enters the cause; left open, it mixes other links into the effect.",
    "Bayesian network": "a DAG together with a distribution that respects its independences.",
    "BDeu": "the score of a graph by its probability given the data, where all shares start out even.",
    "BIC": "the score that weighs fit against parameters: log-likelihood minus half a log n for each.",
    "bootstrap": "rows drawn anew with replacement, as many as there are: what another sample might have looked like.",
    "C1": "in RAI, a pair counts as independent if its G² is below its degrees of freedom, its mean under chance.",
    "calibration": "whether what is said with 90 % is true nine times in ten.",
    "CD": "in LMM, how much more dependent two variables become once the variable between them is accounted for.",
    "chain": "x → z → y: its ends depend until z is held fixed; in order MCMC, graphs drawn one after another.",
    "cluster": "in pPC and pHGS, variables that tell much about one another; tests begin inside clusters.",
    "collider": "a variable that two arrows of a path point at: it blocks the path, and opens it once held fixed.",
    "compelled edge": "an edge that points the same way in every DAG of the equivalence class.",
    "conditioning set": "the variables held fixed in a test: within groups of equal values, is a link left?",
    "CPDAG": "the graph of an equivalence class: arrows where its DAGs agree, plain lines where they do not.",
    "CPPD": "in LMM, the probability that two variables depend on one another, given others.",
    "d-separation": "the rule that reads independences off a DAG.",
    "DAG": "a directed graph without directed cycles.",
    "decentralised search": "in HPC, a neighbour that one variable's search missed is taken over from the other's.",
    "degenerate Gaussian test": "the test for columns of both kinds: a category enters as a column of 0 and 1 a level.",
    "degrees of freedom": "in how many ways a table can deviate; the more, the larger the G² that gives the same p.",
    "effective sample size": "how many rows of equal weight would tell as much as these weighted ones.",
    "equivalence class": "all DAGs that imply the same independences; no number of rows tells them apart.",
    "equivalent sample size": "how many rows the prior of BDeu counts for; the larger, the more edges are kept.",
    "faithfulness": "the assumption that every independence in the data comes from the graph.",
    "false discovery": "a link found by chance; to limit their share each p must be smaller, the more tests there are.",
    "Fisher's z": "the test of a partial correlation, for numbers.",
    "fork": "x ← z → y: its ends depend on one another until their common cause is held fixed.",
    "generative tree": "in B-RAI, every refinement of every group on each resample; each way through it is a graph.",
    "G²": "the likelihood-ratio test of independence in a contingency table, for categories.",
    "instrument": "a variable that moves the cause, and touches the effect by no other way.",
    "joint CPPD": "in LMM, the probability that a pair depends on one another, given the hardest sets of both ends.",
    "level": "in PC, the size of the conditioning sets being tried; also a value of a categorical variable.",
    "Markov blanket": "parents, children and the children's other parents; given these, the rest tells nothing more.",
    "Meek's rules": "four rules that orient further edges once the v-structures are known.",
    "mutual information": "how many bits a row one variable tells of another; 0 if they are independent.",
    "order MCMC": (
        "graphs drawn in proportion to their probability by walking from one order of the variables to another."
    ),
    "p-value": "how often chance alone would give a deviation at least this large, if the two were independent.",
    "permutation test": "a statistic held against what it becomes when one variable is shuffled within each group.",
    "posterior probability": "how sure something is given the data: the weighted share of the graphs that say so.",
    "prior": "what is held probable before the data are seen.",
    "sepset": "the set that made a pair independent, and so removed its edge.",
    "SHD": "structural Hamming distance: number of pairs whose edge differs between two graphs; 0 means equal.",
    "shrinkage": "estimates drawn towards even shares, the more so the fewer the rows; steadier in small samples.",
    "skeleton": "the edges without their directions.",
    "solution path": "in PATH, the graphs of one run at ever stricter levels of alpha; the best scored is chosen.",
    "spouse": "another parent of one of a variable's children.",
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
