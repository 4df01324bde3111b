"""Large networks from small ones: tiles, connected at the nodes without parents.

Tsamardinos, Statnikov, Brown and Aliferis (2006), Generating realistic large Bayesian networks by tiling, FLAIRS 19,
with the number of connecting edges as in Huang and Zhou (2022), section 5.1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import block_diag

from ..common.checks import check_count
from ..common.errors import ParameterError
from ..common.memory import check_pair_memory
from ..common.validation import Seed, validated
from ..graphs.graph import PDAG, topological_order
from .network import DiscreteNetwork, configurations
from .sampling import draw_levels

MAX_PARENTS = 4  # maximum number of parents from other tiles, Huang and Zhou (2022)
ROWS = 25_000  # number of rows of the sample that estimates the frequencies of parent configurations
PRECISE, MAX_ROUNDS = 1e-12, 10_000  # tolerance and maximum number of rounds of the fit of a table to a margin


@validated
def tile(network: DiscreteNetwork, n_tiles: int, seed: Seed) -> DiscreteNetwork:
    """Tile copies of one network, connected as in `tile_networks`.

    Parameters
    ----------
    network : DiscreteNetwork
    n_tiles : int
        At least 1. For at least p nodes take p divided by `network.p`, rounded up.
    seed : int
        At least 0.

    Raises
    ------
    ParameterError
        If `n_tiles` or `seed` is out of range.

    Examples
    --------
    >>> from learners import load_network
    >>> tile(load_network("asia"), 3, seed=1).names[7:9]
    ('t1_dysp', 't2_asia')
    """
    check_count("n_tiles", n_tiles, 1)
    check_pair_memory(n_tiles * network.p)
    return tile_networks([network] * n_tiles, seed)


@validated
def tile_networks(networks: Sequence[DiscreteNetwork], seed: Seed) -> DiscreteNetwork:
    """Join networks in random order by edges into their nodes without parents.

    Parameters
    ----------
    networks : sequence of DiscreteNetwork
        At least one; they may be the same or differ.
    seed : int
        At least 0.

    Returns
    -------
    DiscreteNetwork
        Nodes ``t1_...`` of the first tile, then ``t2_...``. Inside a tile edges are those of the network, and
        so are the tables of nodes with parents there.

    Raises
    ------
    ParameterError
        If there is no network, or `seed` is out of range.

    Notes
    -----
    A node without parents in its tile gets parents from the tiles before it, drawn uniformly: as many as a random node
    of the networks has, at most 4. Its table is random with the marginal distribution of the node: rows are drawn
    uniformly from the simplex and then fitted to that margin, which keeps their odds ratios. Margins within a tile
    therefore stay the same, up to the error of a sample of 25 000 rows that gives the distribution of the parents, and
    except for the dependence of two such nodes on a common ancestor in another tile.
    """
    if not networks:
        raise ParameterError("tiling needs at least one network, got none; pass some")
    order_of, edges_of, tables_of, rows_of = np.random.SeedSequence([seed]).spawn(4)
    tiles = [networks[t] for t in np.random.default_rng(order_of).permutation(len(networks))]
    tiling = _Tiling(tiles, *map(np.random.default_rng, (edges_of, tables_of, rows_of)))
    for t in range(len(tiles)):
        tiling.connect(t)
        tiling.draw(t)
    names = tuple(f"t{t}_{name}" for t, network in enumerate(tiles, 1) for name in network.names)
    levels = tuple(node for network in tiles for node in network.levels)
    return DiscreteNetwork(names, levels, PDAG(tiling.amat), tuple(tiling.cpts))


class _Tiling:
    """Tiles, of which the first few are connected, and rows drawn from the connected tiles."""

    def __init__(
        self,
        tiles: list[DiscreteNetwork],
        edges_rng: np.random.Generator,
        tables_rng: np.random.Generator,
        rows_rng: np.random.Generator,
    ) -> None:
        self.tiles = tiles
        self.edges_rng, self.tables_rng, self.rows_rng = edges_rng, tables_rng, rows_rng
        self.first = np.concatenate([[0], np.cumsum([network.p for network in tiles])])
        self.arity = np.concatenate([network.arity for network in tiles])
        self.cpts = [cpt for network in tiles for cpt in network.cpts]
        self.amat = block_diag(*(network.dag.amat for network in tiles))
        # Larger numbers count as 4 instead of being drawn again; the numbers of edges are then near those of table 1 of
        # the paper.
        self.in_degree = np.minimum(self.amat.sum(axis=0), MAX_PARENTS)
        self.codes = np.zeros((len(self.arity), ROWS), dtype=np.uint8 if self.arity.max() <= 256 else np.uint16)

    def connect(self, t: int) -> None:
        """Draw parents in earlier tiles for the root nodes of a tile."""
        first = int(self.first[t])
        for k in (first + np.flatnonzero(~self.tiles[t].dag.amat.any(axis=0))).tolist():
            n_parents = min(int(self.edges_rng.choice(self.in_degree)), first)
            parents = np.sort(self.edges_rng.choice(first, n_parents, replace=False))
            self.amat[parents, k] = True
            if n_parents:
                self.cpts[k] = self._table(parents, self.cpts[k][0])

    def draw(self, t: int) -> None:
        """Draw the rows of a tile."""
        for k in (self.first[t] + np.array(topological_order(self.tiles[t].dag))).tolist():
            parents = np.flatnonzero(self.amat[:, k])
            row = configurations(self.codes[parents], self.arity[parents])
            draw_levels(self.cpts[k], row, self.rows_rng.random(ROWS), self.codes[k])

    def _table(self, parents: np.ndarray, margin: np.ndarray) -> np.ndarray:
        """Return a random table of a node with the given margin."""
        q = int(np.prod(self.arity[parents]))
        row = configurations(self.codes[parents], self.arity[parents])
        share = np.bincount(row, minlength=q) / ROWS
        return _fitted(self.tables_rng.dirichlet(np.ones(len(margin)), size=q), share, margin)


def _fitted(cpt: np.ndarray, share: np.ndarray, margin: np.ndarray) -> np.ndarray:
    """Return the table with the same odds ratios whose rows, weighted by their shares, sum to the margin."""
    for _ in range(MAX_ROUNDS):
        reached = share @ cpt
        if np.abs(reached - margin).max() <= PRECISE:
            break
        cpt = cpt * np.divide(margin, reached, out=np.zeros_like(margin), where=margin > 0)
        cpt /= cpt.sum(axis=1, keepdims=True)
    return cpt
