"""Orientation of ranked v-structures: Mahdi and Mezey (2013), algorithm 3, lines 10-17."""

import numpy as np

from ..compiling import kernel


@kernel
def accept(amat, triples, n_candidates):
    """Orient x -> w <- y for the first triples x, w, y, in place, unless an edge already points out of w.

    The paper asks that neither edge be oriented; then the second and third parent of a collider would be refused, and
    rule R1 would turn them around.

    Returns
    -------
    (m,) bool array
        Which triples were accepted.
    """
    accepted = np.zeros(triples.shape[0], np.bool_)
    for t in range(n_candidates):
        x, w, y = triples[t]
        if amat[x, w] and amat[y, w]:
            amat[w, x] = amat[w, y] = False
            accepted[t] = True
    return accepted
