"""Other programs as contenders. ``solver(problem, **params)`` returns the run to be timed.

They run in the peers' Python, which needs only numpy and the peer, and not Edgewise.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .problem import Answer, Problem, Run


def causal_learn_pc(problem: Problem, *, alpha: float, max_cond_size: int) -> Run:
    """Prepare causal-learn's stable PC: G² with its adjusted degrees of freedom, or Fisher's z.

    Its stable mode continues to test a pair that is already separated, so it runs more tests than others.
    """
    from causallearn.search.ConstraintBased.PC import pc

    rows = problem.data if problem.arity is None else np.ascontiguousarray(problem.data.T, dtype=np.int64)
    test = "fisherz" if problem.arity is None else "gsq"

    def run() -> Answer:
        found = pc(rows, alpha, test, stable=True, show_progress=False, max_k=max_cond_size)
        return Answer(_from_endpoints(found.G.graph))

    return run


def pybnesian_pc(
    problem: Problem,
    *,
    alpha: float,
    max_cond_size: int,  # noqa: ARG001 - it has no such limit
    bidirected: bool = True,
) -> Run:
    """Prepare pybnesian's PC: likelihood ratio with plain degrees of freedom, or partial correlation.

    Mixed data use the likelihood ratio. It has no limit on conditioning sets, but sets above 3 are rarely reached on
    the data used here. Where v-structures contradict each other it draws two heads if `bidirected`, else keeps the
    first.
    """
    import pybnesian

    names, frame = _frame(problem)
    test = pybnesian.LinearCorrelation if problem.arity is None else pybnesian.MutualInformation

    def run() -> Answer:
        found = pybnesian.PC().estimate(test(frame), alpha=alpha, use_sepsets=True, allow_bidirected=bidirected)
        return Answer(_from_lists(names, found.arcs(), found.edges()))

    return run


def causal_learn_ges(problem: Problem) -> Run:
    """Prepare causal-learn's GES on continuous data with its BIC: half of ln n for each parameter, as ours."""
    from causallearn.search.ScoreBased.GES import ges

    def run() -> Answer:
        found = ges(problem.data, "local_score_BIC", lambda_value=0.5)
        return Answer(_from_endpoints(found["G"].graph))

    return run


def causal_learn_boss(problem: Problem) -> Run:
    """Prepare causal-learn's BOSS on continuous data with its BIC at its own penalty."""
    from causallearn.search.PermutationBased.BOSS import boss

    def run() -> Answer:
        found = boss(problem.data, "local_score_BIC_from_cov", verbose=False)
        return Answer(_from_endpoints(found.graph))

    return run


def flop(problem: Problem) -> Run:
    """Prepare flopsearch on continuous data: ln n for each parameter, as in its paper, and 20 restarts."""
    import flopsearch

    def run() -> Answer:
        found = np.asarray(flopsearch.flop(problem.data, 2.0, restarts=20))
        return Answer((found == 1) | (found == 2))

    return run


def pybnesian_hc(problem: Problem) -> Run:
    """Prepare pybnesian's hill climbing with BIC; conditional linear Gaussians on mixed data."""
    import pybnesian

    names, frame = _frame(problem)
    bn_type = pybnesian.GaussianNetworkType() if problem.arity is None else pybnesian.DiscreteBNType()
    if problem.arity is not None and not problem.arity.all():
        bn_type = pybnesian.CLGNetworkType()

    def run() -> Answer:
        found = pybnesian.hc(frame, bn_type=bn_type, score="bic", operators=["arcs"])
        return Answer(_from_lists(names, found.arcs(), []))

    return run


def pybnesian_mmhc(problem: Problem, *, alpha: float) -> Run:
    """Prepare pybnesian's MMHC: likelihood ratio with plain degrees of freedom, then hill climbing with BIC."""
    import pybnesian

    names, frame = _frame(problem)

    def run() -> Answer:
        test, score = pybnesian.MutualInformation(frame), pybnesian.BIC(frame)
        kind = pybnesian.DiscreteBNType()
        found = pybnesian.MMHC().estimate(test, pybnesian.ArcOperatorSet(), score, bn_type=kind, alpha=alpha)
        return Answer(_from_lists(names, found.arcs(), []))

    return run


def pyagrum_search(problem: Problem, *, tabu: bool) -> Run:
    """Prepare pyAgrum's greedy hill climbing or tabu search with BIC and no prior.

    The tabu list holds 100 changes, and at most 100 changes in a row may lower the score.
    """
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


def pyagrum_miic(problem: Problem) -> Run:
    """Prepare pyAgrum's MIIC at its defaults; the answer is its PDAG."""
    import pyagrum

    names, frame = _frame(problem)

    def run() -> Answer:
        learner = pyagrum.BNLearner(frame)
        learner.useMIIC()
        found, name = learner.learnPDAG(), learner.nameFromId
        arcs, edges = ([(name(a), name(b)) for a, b in pairs] for pairs in (found.arcs(), found.edges()))
        return Answer(_from_lists(names, arcs, edges))

    return run


def bnlearn(problem: Problem, *, key: str) -> Run:
    """Prepare a learner of bnlearn-port, bnlearn's C core for Python, on categorical data.

    Its test is the likelihood ratio with plain degrees of freedom; H2PC climbs with BIC from the same test.
    """
    import pybnlearn

    _, frame = _frame(problem)
    restrict = {"test": "mi", "alpha": 0.05}
    settings = {"restrict_args": restrict, "maximize_args": {"score": "bic"}} if key == "h2pc" else restrict

    def run() -> Answer:
        found = getattr(pybnlearn, key)(frame, **settings)
        return Answer(pybnlearn.amat(found).to_numpy() > 0, int(pybnlearn.ntests(found)))

    return run


def pgmpy_pc(problem: Problem, *, alpha: float, max_cond_size: int) -> Run:
    """Prepare pgmpy's stable PC: G² with adjusted degrees of freedom, or Fisher's z.

    G² has Yates' correction for 2 x 2 tables.
    """
    from pgmpy.causal_discovery import PC

    names, frame = _frame(problem)
    test = "fisher_z" if problem.arity is None else "g_sq"

    def run() -> Answer:
        learner = PC("stable", test, significance_level=alpha, max_cond_vars=max_cond_size, show_progress=False)
        return Answer(_from_adjacency(names, learner.fit(frame).adjacency_matrix_))

    return run


def pgmpy_hc(problem: Problem) -> Run:
    """Prepare pgmpy's hill climbing with BIC, without its list of moves that must not be undone."""
    from pgmpy.causal_discovery import HillClimbSearch

    names, frame = _frame(problem)

    def run() -> Answer:
        learner = HillClimbSearch("bic-d", tabu_length=0, return_type="dag", show_progress=False)
        return Answer(_from_adjacency(names, learner.fit(frame).adjacency_matrix_))

    return run


def causal_learn_fci(problem: Problem, *, alpha: float) -> Run:
    """Prepare causal-learn's FCI with Fisher's z; the answer has the edges a -> b of its PAG."""
    from causallearn.search.ConstraintBased.FCI import fci

    def run() -> Answer:
        marks = fci(problem.data, "fisherz", alpha, verbose=False, show_progress=False)[0].graph
        return Answer((marks == -1) & (marks.T == 1))

    return run


def tetrad(problem: Problem, *, search: str, alpha: float, penalty: float) -> Run:
    """Prepare a search of Tetrad on numbers; the answer has the edges a -> b of what it finds.

    `penalty` is the penalty discount of its BIC. The jar is that of the package, and needs a Java machine.
    """
    _start_java()
    from edu.cmu.tetrad import search as searches
    from edu.cmu.tetrad.search.test import IndTestFisherZ

    table = _table(problem)

    def run() -> Answer:
        test, score = IndTestFisherZ(table, alpha), _score(problem, table, "bic", penalty)
        if search == "Boss":
            made = searches.PermutationSearch(searches.Boss(score))
        elif search == "Fci":
            made = searches.Fci(test)
        else:
            made = getattr(searches, search)(test, score)
        found = _from_edges(made.search().getEdges(), problem.p)
        return Answer(found & ~found.T)

    return run


def tetrad_search(problem: Problem, *, search: str, score: str = "bic", penalty: float = 2.0) -> Run:
    """Prepare a search of Tetrad for a CPDAG on any columns: ``"Boss"`` or ``"Grasp"``.

    `score` is ``"bic"`` with this penalty discount, which becomes the degenerate Gaussian BIC on mixed data, or
    ``"bdeu"`` for categorical data, at Tetrad's default priors.
    """
    _start_java()
    from edu.cmu.tetrad import search as searches

    table = _table(problem)

    def run() -> Answer:
        made = getattr(searches, search)(_score(problem, table, score, penalty))
        if search == "Grasp":
            made.bestOrder(table.getVariables())
            return Answer(_from_edges(made.getGraph(True).getEdges(), problem.p))
        return Answer(_from_edges(searches.PermutationSearch(made).search().getEdges(), problem.p))

    return run


def _table(problem: Problem):
    """Return the rows as a data set of Tetrad, with nodes v0, v1, and so on."""
    import jpype
    from edu.cmu.tetrad.data import (
        BoxDataSet,
        ContinuousVariable,
        DiscreteVariable,
        DoubleDataBox,
        MixedDataBox,
        VerticalIntDataBox,
    )
    from java.util import ArrayList

    arity = np.zeros(problem.p, dtype=np.int64) if problem.arity is None else problem.arity
    nodes = ArrayList(
        [DiscreteVariable(f"v{k}", int(r)) if r else ContinuousVariable(f"v{k}") for k, r in enumerate(arity)]
    )
    doubles, ints = jpype.JArray(jpype.JDouble, 2), jpype.JArray(jpype.JInt, 2)
    if problem.arity is None:
        return BoxDataSet(DoubleDataBox(doubles(problem.data.tolist())), nodes)
    if problem.arity.all():
        return BoxDataSet(VerticalIntDataBox(ints(problem.data.astype(np.int64).tolist())), nodes)
    numbers = doubles([None if r else column.tolist() for column, r in zip(problem.data, arity, strict=True)])
    codes = ints(
        [column.astype(np.int64).tolist() if r else None for column, r in zip(problem.data, arity, strict=True)]
    )
    return BoxDataSet(MixedDataBox(nodes, problem.n, numbers, codes), nodes)


def _score(problem: Problem, table, name: str, penalty: float):
    """Return Tetrad's score for the columns of the problem."""
    from edu.cmu.tetrad.search import score as scores

    if name == "bdeu":
        return scores.BdeuScore(table)
    if problem.arity is None:
        made = scores.SemBicScore(table, True)
    elif problem.arity.all():
        made = scores.DiscreteBicScore(table)
    else:
        made = scores.DegenerateGaussianScore(table, True)
    made.setPenaltyDiscount(penalty)
    return made


def _start_java() -> None:
    """Start the Java machine of this process, unless it runs."""
    import jpype
    import jpype.imports
    import tetrad_plus

    if not jpype.isJVMStarted():
        jars = (Path(tetrad_plus.__file__).parent / "jars").glob("*.jar")
        jpype.startJVM("-Xmx3g", "-XX:ActiveProcessorCount=1", classpath=[str(jar) for jar in jars])


def _from_edges(edges, p: int) -> np.ndarray:
    """Return (p, p) bool: a -> b among Tetrad's edges of nodes v0, v1, and so on, and both for an undirected edge.

    Edges with circles or two arrowheads are left out.
    """
    amat = np.zeros((p, p), dtype=bool)
    for edge in edges:
        i, j = (int(str(node.getName())[1:]) for node in (edge.getNode1(), edge.getNode2()))
        ends = [str(end) for end in (edge.getEndpoint1(), edge.getEndpoint2())]
        undirected = ends == ["TAIL", "TAIL"]
        amat[i, j] |= undirected or ends == ["TAIL", "ARROW"]
        amat[j, i] |= undirected or ends == ["ARROW", "TAIL"]
    return amat


def _frame(problem: Problem):
    """Return the names, and a frame of numbers and of categoricals with all declared levels."""
    import pandas as pd

    names = [f"v{j}" for j in range(problem.p)]
    if problem.arity is None:
        return names, pd.DataFrame(problem.data, columns=names)
    columns = (
        pd.Categorical.from_codes(column.astype(np.int64), [str(k) for k in range(r)]) if r else column
        for column, r in zip(problem.data, problem.arity.tolist(), strict=True)
    )
    return names, pd.DataFrame(dict(zip(names, columns, strict=True)))


def _from_endpoints(graph: np.ndarray) -> np.ndarray:
    """Convert causal-learn's graph: the mark at i of the edge i, j is graph[i, j], -1 a tail, 1 a head."""
    amat = graph == -1
    bidirected = (graph == 1) & (graph.T == 1)
    return amat | bidirected


def _from_lists(names: list[str], arcs: list[tuple[str, str]], edges: list[tuple[str, str]]) -> np.ndarray:
    index = {name: j for j, name in enumerate(names)}
    amat = np.zeros((len(names), len(names)), dtype=bool)
    for a, b in [*arcs, *edges, *((b, a) for a, b in edges)]:
        amat[index[a], index[b]] = True
    return amat


def _from_adjacency(names: list[str], adjacency) -> np.ndarray:
    """Convert pgmpy's 0/1 frame, which has its own column order and both entries for an undirected edge."""
    return adjacency.reindex(index=names, columns=names).to_numpy() > 0
