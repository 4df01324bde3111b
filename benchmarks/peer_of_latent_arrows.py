"""Tetrad and causal-learn on tables with hidden common causes; runs in the peers' Python, which need not have Edgewise.

Arrow streams, each preceded by its length in eight bytes, are read from standard input. For each, one JSON text is
written: the arrows that each method claims, as pairs of column numbers, and its CPU seconds.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa

ALPHA, PENALTY = 0.01, 2.0  # Tetrad's own default of the penalty
Arrows = list[tuple[int, int]]


def start_tetrad() -> bool:
    """Start a Java machine with the jar of the package `tetrad-plus`; False if the package is not there."""
    found = importlib.util.find_spec("tetrad_plus")
    if found is None or found.origin is None:
        return False
    import jpype
    import jpype.imports

    jar = next(Path(found.origin).parent.glob("jars/*.jar"))
    os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:ActiveProcessorCount=1")
    jpype.startJVM("-Xmx3g", classpath=[str(jar)])
    return True


def tetrad(values: np.ndarray) -> dict[str, Callable[[], Arrows]]:
    """Return the searches of Tetrad for a table of numbers."""
    import jpype
    from edu.cmu.tetrad.data import BoxDataSet, ContinuousVariable, DoubleDataBox
    from edu.cmu.tetrad.search import BFci, Boss, Fci, GFci, GraspFci, PermutationSearch
    from edu.cmu.tetrad.search.score import SemBicScore
    from edu.cmu.tetrad.search.test import IndTestFisherZ
    from java.util import ArrayList

    nodes = ArrayList()
    for k in range(values.shape[1]):
        nodes.add(ContinuousVariable(f"v{k}"))
    data = BoxDataSet(DoubleDataBox(jpype.JArray(jpype.JDouble, 2)(values.tolist())), nodes)

    def test():
        return IndTestFisherZ(data, ALPHA)

    def score():
        made = SemBicScore(data, True)
        made.setPenaltyDiscount(PENALTY)
        return made

    def arrows(search) -> Arrows:
        found = []
        for edge in search.search().getEdges():
            ends = [int(str(node.getName())[1:]) for node in (edge.getNode1(), edge.getNode2())]
            marks = [str(end) for end in (edge.getEndpoint1(), edge.getEndpoint2())]
            if marks == ["TAIL", "ARROW"]:
                found.append((ends[0], ends[1]))
            elif marks == ["ARROW", "TAIL"]:
                found.append((ends[1], ends[0]))
        return found

    return {
        "Tetrad BOSS": lambda: arrows(PermutationSearch(Boss(score()))),
        "Tetrad FCI": lambda: arrows(Fci(test())),
        "Tetrad GFCI": lambda: arrows(GFci(test(), score())),
        "Tetrad BFCI": lambda: arrows(BFci(test(), score())),
        "Tetrad GRaSP-FCI": lambda: arrows(GraspFci(test(), score())),
    }


def causal_learn(values: np.ndarray) -> dict[str, Callable[[], Arrows]]:
    """Return FCI of causal-learn for a table of numbers."""
    from causallearn.search.ConstraintBased.FCI import fci

    def search() -> Arrows:
        marks = fci(values, "fisherz", ALPHA, verbose=False, show_progress=False)[0].graph
        return [(int(i), int(j)) for i, j in np.argwhere((marks == -1) & (marks.T == 1))]

    return {"causal-learn FCI": search}


def main() -> None:
    """Answer each table."""
    has_tetrad = start_tetrad()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the peers print goes to standard error
    while size := sys.stdin.buffer.read(8):
        table = pa.ipc.open_stream(sys.stdin.buffer.read(int.from_bytes(size, "little"))).read_all()
        values = np.ascontiguousarray(np.column_stack([column.to_numpy() for column in table.columns]))
        searches = (tetrad(values) if has_tetrad else {}) | causal_learn(values)
        answer = {}
        for name, search in searches.items():
            began = time.process_time()
            answer[name] = {"arrows": search(), "seconds": time.process_time() - began}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
