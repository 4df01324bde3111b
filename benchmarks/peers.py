"""Other programs as contenders. Called as ``solver(problem, **params)`` they return the run that is timed.

Runs in the peers' own Python, which need not know Edgewise: numpy, the peer, and nothing else.
"""

from __future__ import annotations

import numpy as np

from .problem import Answer, Problem, Run


def causal_learn_pc(problem: Problem, *, alpha: float, max_cond_size: int) -> Run:
    """causal-learn's stable PC: G² with its adjusted degrees of freedom, or Fisher's z.

    Its stable mode goes on testing a pair that is already separated, so it does more tests than others.
    """
    from causallearn.search.ConstraintBased.PC import pc

    rows = problem.data if problem.arity is None else np.ascontiguousarray(problem.data.T, dtype=np.int64)
    test = "fisherz" if problem.arity is None else "gsq"

    def run() -> Answer:
        found = pc(rows, alpha, test, stable=True, show_progress=False, max_k=max_cond_size)
        return Answer(_from_endpoints(found.G.graph))

    return run


def pybnesian_pc(problem: Problem, *, alpha: float, max_cond_size: int) -> Run:  # noqa: ARG001 - it has no such limit
    """pybnesian's PC: likelihood ratio with plain degrees of freedom, or partial correlation.

    It has no limit on conditioning sets; one above 3 is seldom reached on the data used here.
    """
    import pandas as pd
    import pybnesian

    names = [f"v{j}" for j in range(problem.p)]
    if problem.arity is None:
        frame = pd.DataFrame(problem.data, columns=names)
        test = pybnesian.LinearCorrelation
    else:
        names, frame = _frame(problem)
        test = pybnesian.MutualInformation

    def run() -> Answer:
        found = pybnesian.PC().estimate(test(frame), alpha=alpha, use_sepsets=True)
        return Answer(_from_lists(names, found.arcs(), found.edges()))

    return run


def pybnesian_hc(problem: Problem) -> Run:
    """pybnesian's hill climbing with BIC."""
    import pybnesian

    names, frame = _frame(problem)

    def run() -> Answer:
        found = pybnesian.hc(frame, bn_type=pybnesian.DiscreteBNType(), score="bic", operators=["arcs"])
        return Answer(_from_lists(names, found.arcs(), []))

    return run


def pyagrum_search(problem: Problem, *, tabu: bool) -> Run:
    """pyAgrum's greedy hill climbing, or its tabu search with a list of 100 and 100 changes, with BIC and no prior."""
    import pyagrum

    names, frame = _frame(problem)

    def run() -> Answer:
        learner = pyagrum.BNLearner(frame)
        learner.useScoreBIC()
        learner.useNoPrior()
        if tabu:
            learner.useLocalSearchWithTabuList(100, 100)
        else:
            learner.useGreedyHillClimbing()
        arcs = [(learner.nameFromId(a), learner.nameFromId(b)) for a, b in learner.learnDAG().arcs()]
        return Answer(_from_lists(names, arcs, []))

    return run


def _frame(problem: Problem):
    """Names and a frame of categoricals with all declared levels."""
    import pandas as pd

    names = [f"v{j}" for j in range(problem.p)]
    levels = [[str(k) for k in range(r)] for r in problem.arity]
    columns = (pd.Categorical.from_codes(*pair) for pair in zip(problem.data, levels, strict=True))
    return names, pd.DataFrame(dict(zip(names, columns, strict=True)))


def _from_endpoints(graph: np.ndarray) -> np.ndarray:
    """causal-learn stores the mark at i of the edge i, j in graph[i, j]: -1 a tail, 1 a head."""
    amat = graph == -1
    bidirected = (graph == 1) & (graph.T == 1)
    return amat | bidirected


def _from_lists(names: list[str], arcs: list[tuple[str, str]], edges: list[tuple[str, str]]) -> np.ndarray:
    index = {name: j for j, name in enumerate(names)}
    amat = np.zeros((len(names), len(names)), dtype=bool)
    for a, b in [*arcs, *edges, *((b, a) for a, b in edges)]:
        amat[index[a], index[b]] = True
    return amat
