"""Definitions of the terms of the field, in English."""

from __future__ import annotations

GLOSSARY = {
    "adjustment set": (
        "A set of variables to condition on. Given them, the remaining association between cause and effect is causal."
    ),
    "alpha": "The significance level of the tests. Two variables count as independent if a test has p above alpha.",
    "autonomous group": (
        "In RAI, a group of variables that can be refined separately from the others, given its parents."
    ),
    "awareness": (
        "In LMM, x is aware of y if tests of the other edges of x may condition on y. A dot at the end of x marks it."
    ),
    "back-door path": "A path that starts with an arrow into the cause. If it is open, it confounds the effect.",
    "Bayesian network": "A DAG with a probability distribution that has all independences implied by the DAG.",
    "BDeu": "A Bayesian score of a graph for categorical data, with a uniform prior on all probabilities.",
    "BIC": "A score that trades fit for simplicity: the log-likelihood minus ½ log n for each parameter.",
    "bootstrap": "Learning again on samples of n rows drawn with replacement. It shows how stable the result is.",
    "C1": (
        "In RAI, a test without a significance level: a pair counts as independent if G² is below its degrees of "
        "freedom. They are the mean of G² under independence."
    ),
    "calibration": (
        "Agreement of probabilities with frequencies: of all edges with probability 90%, nine in ten exist."
    ),
    "CD": "In LMM, the increase in dependence between two variables when the variable between them is conditioned on.",
    "chain": (
        "The path x → z → y: x and y are dependent, but independent given z. In order MCMC, a sequence of sampled "
        "graphs."
    ),
    "cluster": "In pPC and pHGS, a group of variables with high mutual information. Tests start inside clusters.",
    "collider": "A variable with two arrows of a path pointing at it. It blocks the path unless it, or a "
    "descendant, is conditioned on.",
    "compelled edge": "An edge with the same direction in all DAGs of the equivalence class.",
    "conditioning set": (
        "The variables that a test conditions on. It asks whether two variables are independent given them."
    ),
    "CPDAG": (
        "The graph of all DAGs with the same independences. They share its arrows; the direction of its lines is not "
        "determined."
    ),
    "CPPD": "In LMM, the conditional posterior probability of dependence of two variables, given others.",
    "d-connected": "Connected by a path that is open given the conditioning set. Such variables are usually dependent.",
    "d-separation": "The criterion that reads independences off a DAG: all paths between two variables are blocked.",
    "DAG": "A directed acyclic graph: a graph of arrows without cycles.",
    "decentralised search": (
        "In HPC, a neighbour missed by the search of one variable is added if the other's search finds it."
    ),
    "degenerate Gaussian test": (
        "A test for mixed data. It turns each category into 0/1 columns and treats all columns as Gaussian."
    ),
    "degrees of freedom": (
        "The number of cells of a contingency table that are free to vary, given its margins. With more of them, the "
        "same p needs a larger G²."
    ),
    "effective sample size": "The number of rows of equal weight that hold as much information as the weighted rows.",
    "equivalence class": "All DAGs with the same independences. Independences cannot distinguish them; experiments "
    "can.",
    "equivalent sample size": "The weight of the BDeu prior, in rows. Larger values usually keep more edges.",
    "faithfulness": "The assumption that all independences in the data follow from the graph.",
    "false discovery": (
        "An edge found by chance. Control of the false discovery rate limits their share among all edges found."
    ),
    "Fisher's z": "A test of zero partial correlation, for numeric data.",
    "fork": "The path x ← z → y: x and y are dependent through their common cause, and independent given z.",
    "generative tree": (
        "In B-RAI, the tree of all refinements of all groups on all resamples. Graphs are sampled from it."
    ),
    "G²": "The likelihood-ratio test of independence in a contingency table, for categorical data.",
    "imputation": "The replacement of missing cells by values that are estimated or drawn given the observed cells.",
    "instrument": "A variable that affects the cause, and the effect only through the cause. It shares no "
    "hidden cause with the effect.",
    "joint CPPD": (
        "In LMM, the product of two CPPDs of a pair, one for each variable. Each is conditioned on those neighbours of "
        "its variable that weaken the dependence most."
    ),
    "level": "In PC, the size of the conditioning sets that are tested. In a table, a value of a categorical variable.",
    "Markov blanket": (
        "Parents, children and spouses of a variable. Given them, all other variables are irrelevant for it."
    ),
    "Meek's rules": "Four rules that direct further edges once the v-structures are known.",
    "mutual information": "The information that two variables share, in bits per row. It is 0 if they are independent.",
    "order MCMC": (
        "A method that samples graphs by their posterior probability, using a Markov chain over variable orders."
    ),
    "p-value": "The probability of a deviation at least as large as observed if the two variables were independent.",
    "permutation test": "A test that compares a statistic with its values after shuffling one variable.",
    "posterior probability": (
        "The probability of a statement given the data: the weighted share of the graphs that support it."
    ),
    "prior": "A probability distribution assumed before the data are seen.",
    "sepset": "The separating set of a pair: the conditioning set given which no dependence was found.",
    "SHD": "Structural Hamming distance: the number of pairs whose edge differs between two graphs.",
    "shrinkage": (
        "Estimates pulled towards equal probabilities, more strongly for fewer rows. It stabilises small samples."
    ),
    "skeleton": "The edges of a graph without their directions.",
    "solution path": (
        "In PATH, the graphs of one run at decreasing values of alpha. The one with the best score is chosen."
    ),
    "spouse": "Another parent of one of the variable's children.",
    "statistical call": (
        "One test, one local score or one mutual information: the unit in which the cost of a run is counted."
    ),
    "superset": (
        "In HPC, the possible neighbours of a variable: those that stay dependent on it in all tests given one "
        "variable or none. Possible spouses have a superset of their own."
    ),
    "temperature γ": "In B-RAI, the randomness of sampling graphs from the tree. With 0, only the best graph is drawn.",
    "v-structure": (
        "Two non-adjacent variables that both point at a third one. Independences reveal "
        "directions only by this pattern."
    ),
    "Φ": "The largest p of all tests of a pair. An edge is kept if its Φ is below alpha.",
}
