"""Node positions: layered, by hubs, force-directed, circular, or by tiers; deterministic, without Graphviz."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from itertools import pairwise
from typing import Literal

import numpy as np
from scipy.sparse.csgraph import connected_components, shortest_path

from learners.common.checks import check_choice
from learners.common.errors import ParameterError
from learners.common.parallel import available_cores
from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.graph import PDAG, Edge, topological_order
from learners.graphs.layered_rows import NEAR, drawing_cost

from .crossings import route_crossings, spread_rows
from .hubs import place_hubs
from .layers import (
    Layers,
    assign_layers,
    count_crossings,
    order_layers,
    place_layers,
    vary_order,
    vary_parts,
    with_bends,
)
from .printed_graph import place
from .routing import Router

Kind = Literal["layered", "hubs", "force", "circle", "tiers"]
KINDS = ("layered", "hubs", "force", "circle", "tiers")
MAX_LAYERED = 900  # maximum number of nodes that "layered" and "force" draw within seconds, and legibly
MAX_LAYERED_SIZE = 1_500  # maximum number of nodes and bends for which a larger graph may have layers; about 4 CPU s
ASPECT = 1.7  # ratio of width to height into which components are packed
EDGE_LENGTH = 1.6  # edge length of a force layout, in node widths; leaves space for labels
LEGIBLE = 13.7  # maximum layout width, in node widths, that leaves each node 80 px in a 1,100 px image
MAX_CROWD = 0.6  # maximum number of nodes in a row, per node width, at which a drawing is made legible
TOO_WIDE = 1e6
USUAL_NAMES = ("V1", "variable")  # their boxes decide which of several drawings has the fewest crossings
LAYOUTS_KEPT = 32  # number of layouts cached in the memory of the process
RESTARTS, MAX_RESTARTED = 30, 2_400  # maximum number of further layerings; of nodes and bends in all of them
ORDER_TRIES, MAX_TRIED = 30, 2e6  # maximum number of random changes of an order; of compared nodes and bends
PART_TRIES, PART_WORK = 100, 6e7  # the same for changes of some rows
RESTARTS_BY_PARTS, RESTARTED_BY_PARTS, ORDER_TRIES_BY_PARTS = 60, 7_200, 4  # the same for a search by parts
MORE_TRIES = 400  # maximum number of further changes of some rows of a good order
MAX_ORDERS = 6  # maximum number of orders of which a drawing is made
TRIES, TRIED_WORK = 400, 1e6  # maximum number of random changes of a drawing, and of lines compared in all of them
MAX_AGAIN = 70  # maximum number of edges of a component that is drawn again
ORDERS_AGAIN, MAX_PACKED = 8, 6  # number of its orders; of drawings in all
# For each round: the number of drawings searched on; TRIES and TRIED_WORK of each, and its number of similar drawings.
ROUNDS_AGAIN = (8, 30, 2e5, 0), (4, 80, 5e5, 0), (2, 600, 4e6, 3)
NARROW = 0.25  # clearance of its nodes; half the width of a box with a short name, in node widths
CROWD_AGAIN = 0.95  # the same as MAX_CROWD
MAX_DRAWN, MAX_ROUTED = 4, 300  # maximum number of drawings to choose from, and of their edges
MAX_SIMILAR, MAX_COMPARED = 12, 2_000  # maximum number of similar drawings each, and of pairs of edges in them
STRESS_SWEEPS = 120  # number of sweeps of the force layout; later sweeps have no visible effect


def layout(
    graph: PDAG, kind: Kind | None = None, *, seed: int = 0, tiers: Sequence[int | None] | None = None
) -> np.ndarray:
    """Return the position of each node.

    Parameters
    ----------
    graph : PDAG
        Usually the learned graph, or a slightly denser one.
    kind : {"layered", "hubs", "force", "circle", "tiers"}, optional
        "layered" places causes above effects as far as edges are directed; "hubs" places each node with many edges
        in the middle of its neighbours; "tiers" gives each tier its own rows. Default: "layered", or "hubs" for graphs
        of more than `MAX_LAYERED` nodes.
    seed : int
        Random seed of the force layout.
    tiers : sequence of int or None, optional
        Tier of each node, required for "tiers" and ignored otherwise; nodes without a tier come last.

    Returns
    -------
    (p, 2) float64 array
        x and y in [0, 1], y downwards.

    Raises
    ------
    ParameterError
        If `kind` is unknown, or if it is "tiers" and `tiers` does not have one entry per node.

    References
    ----------
    .. [1] Sugiyama, Tagawa and Toda (1981), Methods for visual understanding of hierarchical system structures.
       IEEE Transactions on Systems, Man, and Cybernetics 11(2).
    .. [2] Gansner, Koutsofios, North and Vo (1993), A technique for drawing directed graphs.
       IEEE Transactions on Software Engineering 19(3).
    .. [3] Gansner, Koren and North (2004), Graph drawing by stress majorization. Graph Drawing, equation (7).
    """
    kind = usual_kind(graph.p) if kind is None else kind
    check_choice("kind", kind, KINDS)
    if kind == "tiers" and (tiers is None or len(tiers) != graph.p):
        found = "none" if tiers is None else str(len(tiers))
        raise ParameterError(f"a layout by tiers needs one tier for each of {graph.p} nodes, got {found}")
    if graph.p == 0:
        return np.zeros((0, 2))
    return arranged(graph.amat.tobytes(), graph.p, kind, seed, tuple(tiers) if kind == "tiers" else ()).copy()


def usual_kind(p: int) -> Kind:
    """Return the kind of layout that suits a graph of p nodes."""
    return "layered" if p <= MAX_LAYERED else "hubs"


def may_be_layered(graph: PDAG) -> bool:
    """Return True if layers of the graph are drawn within seconds.

    The time depends on the number of nodes and of bends of long edges, so larger graphs may have at most
    `MAX_LAYERED_SIZE` of both.
    """
    if graph.p <= MAX_LAYERED or graph.p > MAX_LAYERED_SIZE:
        return graph.p <= MAX_LAYERED
    dag = consistent_extension(graph).dag
    starts, ends = np.array(dag.edges(), dtype=np.int64).reshape(-1, 2).T
    layer = assign_layers(dag)
    return graph.p + int((layer[ends] - layer[starts] - 1).sum()) <= MAX_LAYERED_SIZE


@lru_cache(maxsize=LAYOUTS_KEPT)
def arranged(arrows: bytes, p: int, kind: Kind, seed: int, tiers: tuple[int | None, ...]) -> np.ndarray:
    """Return the cached layout of the graph with this adjacency matrix; the students of a class see the same graphs."""
    graph = PDAG(np.frombuffer(arrows, dtype=bool).reshape(p, p))
    if kind == "circle":
        return _circle(graph)
    if kind == "tiers":
        return _unit_square(_rows_of_tiers(graph, tiers))
    draw = {"layered": _layered, "force": _force, "hubs": _around_hubs}[kind]
    return _unit_square(_packed(graph, lambda part: draw(part, seed)))


def _layered(part: PDAG, _seed: int) -> list[np.ndarray]:
    """Draw a component by Sugiyama's method: layers, few crossings, straight long edges.

    A small component is drawn again if its edges cross more often than in the best order, or if a drawing is too wide.
    The second search is longer and assumes narrow nodes, so it returns several drawings to choose from.
    """
    own = part.edges()
    orders = _orders(part)
    drawn = _drawings(part, orders)
    crossings, best = _clearest(drawn, own)
    if len(own) > MAX_AGAIN:
        return [best]
    crossings = _drawn_crossings(best, own) if crossings is None else crossings
    too_wide = max(np.ptp(xy[:, 0]) for xy in drawn) > LEGIBLE
    fewest = len(USUAL_NAMES) * count_crossings(orders[0][1])
    if crossings == 0 or (crossings <= fewest and not too_wide):
        return [best]
    again = _drawings_again(_orders(part, by_parts=True))
    legible = [xy for xy in again if np.ptp(xy[:, 0]) <= max(LEGIBLE, np.ptp(best[:, 0]))]
    return [best, *legible[:MAX_PACKED]]


def _drawings(part: PDAG, orders: Sequence[tuple[list[Edge], Layers, np.ndarray]]) -> list[np.ndarray]:
    """Return drawings of a component for the best orders, each with similar ones; see `_layered` and `spread_rows`."""
    size = len(part.edges())
    firsts = [(_spread(edges, net, layer, NEAR, MAX_CROWD), edges) for edges, net, layer in orders]
    firsts.sort(key=lambda first: _cost(*first, NEAR))
    n_drawn = min(MAX_DRAWN, MAX_ROUTED // size)
    if n_drawn < 2 and len(firsts) == 1:
        return [firsts[0][0]]
    return [
        xy
        for first, edges in firsts[: max(1, n_drawn)]
        for xy in spread_rows(
            first,
            edges,
            between_rows=True,
            max_width=_max_width(first[:, 1], MAX_CROWD),
            tries=TRIES,
            max_work=TRIED_WORK,
            similar=min(MAX_SIMILAR, MAX_COMPARED // size**2),
        )
    ]


def _drawings_again(orders: Sequence[tuple[list[Edge], Layers, np.ndarray]]) -> list[np.ndarray]:
    """Return drawings with narrow nodes, the best first; each round searches on from the best of the one before."""
    drawn = [(_spread(edges, net, layer, NARROW, CROWD_AGAIN), edges) for edges, net, layer in orders]
    for n_searched, tries, max_work, similar in ROUNDS_AGAIN:
        drawn.sort(key=lambda one: _cost(*one, NARROW))
        search = partial(_searched_again, tries=tries, max_work=max_work, similar=similar)
        with ThreadPoolExecutor(available_cores()) as pool:  # the search is compiled and releases the GIL
            searched = [one for found in pool.map(search, drawn[:n_searched]) for one in found]
        drawn = [*searched, *drawn[n_searched:]]
    return [xy for xy, edges in sorted(drawn, key=lambda one: _cost(*one, NARROW))]


def _searched_again(
    one: tuple[np.ndarray, list[Edge]], *, tries: int, max_work: float, similar: int
) -> list[tuple[np.ndarray, list[Edge]]]:
    """Search on from a drawing with narrow nodes; return the best one and similar ones, with their edges."""
    xy, edges = one
    found = spread_rows(
        xy,
        edges,
        between_rows=True,
        max_width=_max_width(xy[:, 1], CROWD_AGAIN),
        tries=tries,
        max_work=max_work,
        similar=similar,
        clearance=NARROW,
        seed=tries,  # another one in each round, which would otherwise repeat the changes of the one before
    )
    return [(drawing, edges) for drawing in found]


def _clearest(drawn: Sequence[np.ndarray], edges: Sequence[Edge]) -> tuple[int | None, np.ndarray]:
    """Return the drawing with the fewest crossings and their number, None if it is the only one.

    Drawings that are not legible count only if none is legible.
    """
    legible = [xy for xy in drawn if np.ptp(xy[:, 0]) <= LEGIBLE] or drawn
    if len(legible) == 1:
        return None, legible[0]
    counts = [_drawn_crossings(xy, edges) for xy in legible]
    return min(counts), legible[int(np.argmin(counts))]


def _has_undirected(part: PDAG) -> bool:
    return bool((part.amat & part.amat.T).any())


def _cost(xy: np.ndarray, edges: Sequence[Edge], clearance: float) -> float:
    """Return the cost of a drawing with straight edges; one that is too wide costs more than any other."""
    x, y = xy.T.copy()
    too_wide = np.ptp(x) > LEGIBLE
    return drawing_cost(x, y, np.array(edges, dtype=np.int64), clearance) + TOO_WIDE * too_wide


def _drawn_crossings(xy: np.ndarray, edges: Sequence[Edge]) -> int:
    """Return the crossings of the edges as drawn around boxes of two usual sizes."""
    crossings = 0
    for name in USUAL_NAMES:
        router = Router(place(_unit_square(xy), [name] * len(xy)))
        crossings += route_crossings([router.route(i, j).points for i, j in edges], edges)
    return crossings


def _orders(part: PDAG, *, by_parts: bool = False) -> list[tuple[list[Edge], Layers, np.ndarray]]:
    """Return the best orders that several searches for few crossings find: edges, order, and the layer of each node.

    Later searches weigh edges differently, and direct the undirected ones differently, so that some layers change.

    Parameters
    ----------
    part : PDAG
    by_parts : bool
        True if each search also turns parts of the drawing round, and every second one directs the undirected edges
        at random, which may give colliders that the graph does not have.
    """
    dag, rng, mixing = consistent_extension(part).dag, np.random.default_rng(0), np.random.default_rng(1)
    layer = assign_layers(dag)
    net = order_layers(dag.edges(), layer)
    size, squares = len(net.above), sum(len(row) ** 2 for row in net.rows)
    tries = min(ORDER_TRIES_BY_PARTS if by_parts else ORDER_TRIES, int(MAX_TRIED / squares))
    part_tries = min(PART_TRIES, int(PART_WORK / squares)) if by_parts else 0

    def searched(net: Layers) -> Layers:
        return vary_parts(vary_order(net, tries, rng), part_tries, rng) if by_parts else vary_order(net, tries, rng)

    found = [(dag.edges(), searched(net), layer)]
    seen = {layer.tobytes()}
    restarts, size_limit = (RESTARTS_BY_PARTS, RESTARTED_BY_PARTS) if by_parts else (RESTARTS, MAX_RESTARTED)
    for restart in range(min(restarts, size_limit // size)):
        if count_crossings(found[0][1]) == 0:
            break
        if _has_undirected(part):
            dag = (_another_orientation if by_parts and restart % 2 else _another_extension)(part, mixing)
        edges = dag.edges()
        layer = assign_layers(dag, np.exp(rng.normal(size=len(edges))))
        if layer.tobytes() not in seen:
            seen.add(layer.tobytes())
            found.append((edges, searched(with_bends(edges, layer)), layer))
    found = sorted(found, key=lambda one: count_crossings(one[1]))[: ORDERS_AGAIN if by_parts else MAX_ORDERS]
    for _, net, _ in found if by_parts else ():
        vary_parts(net, min(MORE_TRIES, int(PART_WORK / squares)), rng)
    return found


def _another_extension(part: PDAG, rng: np.random.Generator) -> PDAG:
    """Return the consistent extension for a random order of the nodes, which directs undirected edges differently."""
    order = rng.permutation(part.p)
    back = np.argsort(order)
    return PDAG(consistent_extension(PDAG(part.amat[np.ix_(order, order)])).dag.amat[np.ix_(back, back)])


def _another_orientation(part: PDAG, rng: np.random.Generator) -> PDAG:
    """Return an acyclic graph with the directed edges of an extension and random directions of undirected ones."""
    both = part.amat & part.amat.T
    kept = PDAG(consistent_extension(part).dag.amat & ~both)
    order = rng.permutation(part.p)
    rank = np.empty(part.p, dtype=int)
    rank[order[list(topological_order(PDAG(kept.amat[np.ix_(order, order)])))]] = np.arange(part.p)
    return PDAG(kept.amat | both & (rank[:, None] < rank[None]))


def _spread(edges: Sequence[Edge], net: Layers, layer: np.ndarray, clearance: float, crowd: float) -> np.ndarray:
    """Return x (in node widths) and y (layer number) of each node, of which some change their layer."""
    xy = np.column_stack([place_layers(net)[: net.p], layer]).astype(float)
    return spread_rows(xy, edges, between_rows=True, max_width=_max_width(layer, crowd), clearance=clearance)[0]


def _max_width(layer: np.ndarray, crowd: float) -> float:
    """Return the width to which a drawing is limited if its rows have at most `crowd` nodes for each node width."""
    return LEGIBLE if np.unique(layer, return_counts=True)[1].max() <= crowd * LEGIBLE else np.inf


def _rows_of_tiers(graph: PDAG, tiers: Sequence[int | None]) -> np.ndarray:
    """Place each tier in rows of bounded width, the first tier on top."""
    order = topological_order(consistent_extension(graph).dag)
    widest = max(8, int(np.ceil(np.sqrt(2 * graph.p))))
    layer = np.zeros(graph.p, dtype=int)
    row = 0
    for tier in sorted(set(tiers), key=lambda t: (t is None, t)):
        members = [i for i in order if tiers[i] == tier]
        n_rows = -(-len(members) // widest)
        for position, i in enumerate(members):
            layer[i] = row + position * n_rows // len(members)
        row += n_rows
    net = order_layers(graph.edges(), layer)
    xy = np.column_stack([place_layers(net)[: net.p], layer]).astype(float)
    return spread_rows(xy, graph.edges(), tries=TRIES, max_work=TRIED_WORK)[0]


def _force(part: PDAG, seed: int) -> list[np.ndarray]:
    """Draw a component by stress majorization, rotated so that its long axis is horizontal."""
    xy = _least_stress(shortest_path(part.skeleton, unweighted=True), np.random.default_rng(seed))
    axes = np.linalg.svd(xy, full_matrices=False)[2]
    # The sign of a principal axis is arbitrary; fix it, so that all machines draw the same picture.
    signs = np.sign(axes[np.arange(2), np.abs(axes).argmax(axis=1)])
    return [EDGE_LENGTH * xy @ (axes * signs[:, None]).T]


def _around_hubs(part: PDAG, _seed: int) -> list[np.ndarray]:
    return [place_hubs(part.skeleton)]


def _least_stress(distance: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Minimise the stress sum (|x_i - x_j| - d_ij)^2 / d_ij^2 by majorization; each sweep solves a linear system."""
    p = len(distance)
    weight = 1.0 / (distance + np.eye(p)) ** 2 - np.eye(p)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    inverse = np.linalg.inv(laplacian + 1.0 / p) - 1.0 / p
    xy = rng.normal(size=(p, 2)) * distance.max() / 2
    for _ in range(STRESS_SWEEPS):
        current = np.linalg.norm(xy[:, None] - xy[None], axis=2)
        pull = weight * distance / np.maximum(current, 1e-9)
        xy = inverse @ (xy * pull.sum(axis=1)[:, None] - pull @ xy)
    return xy


def _circle(graph: PDAG) -> np.ndarray:
    """Place nodes on a circle in depth-first order, so that neighbours are close; low degrees come first."""
    degree = graph.skeleton.sum(axis=1)
    order: dict[int, None] = {}
    for start in np.argsort(-degree, kind="stable").tolist():
        stack = [start]
        while stack:
            i = stack.pop()
            if i not in order:
                order[i] = None
                stack += sorted(graph.adjacent(i), key=lambda j: (-degree[j], j))
    xy = np.empty((graph.p, 2))
    turn = 2 * np.pi * np.arange(graph.p) / graph.p
    xy[list(order)] = 0.5 + 0.5 * np.column_stack([np.sin(turn), -np.cos(turn)])
    return xy


def _packed(graph: PDAG, draw: Callable[[PDAG], list[np.ndarray]]) -> np.ndarray:
    """Draw each component separately and pack them; of several drawings of the largest one, choose the best there.

    Other components make its rows closer, and then edges pass around other boxes.
    """
    parts = _components(graph)
    drawn = [[np.zeros((1, 2))] if len(part) == 1 else draw(PDAG(graph.amat[np.ix_(part, part)])) for part in parts]
    pictures = [_on_shelves(parts, [largest, *(others[0] for others in drawn[1:])]) for largest in drawn[0]]
    return pictures[0] if len(pictures) == 1 else min(pictures, key=lambda xy: _drawn_crossings(xy, graph.edges()))


def _on_shelves(parts: Sequence[Sequence[int]], drawn: Sequence[np.ndarray]) -> np.ndarray:
    """Pack the drawings of the components into rows, the tallest first, single nodes last."""
    drawn = [xy - xy.min(axis=0) for xy in drawn]
    sizes = np.array([xy.max(axis=0) + 1 for xy in drawn])
    target = max(sizes[:, 0].max(), np.sqrt(ASPECT * sizes.prod(axis=1).sum()))
    shelves = _shelves(sizes, target, [len(nodes) for nodes in parts])
    widest = max(sizes[shelf, 0].sum() for shelf in shelves)
    xy = np.empty((sum(len(part) for part in parts), 2))
    top = 0.0
    for shelf in shelves:
        left = (widest - sizes[shelf, 0].sum()) / 2
        for k in shelf:
            xy[parts[k]] = drawn[k] + (left, top)
            left += sizes[k, 0]
        top += sizes[shelf, 1].max()
    return xy


def _components(graph: PDAG) -> list[list[int]]:
    n_parts, part_of = connected_components(graph.skeleton, directed=False)
    return sorted((np.flatnonzero(part_of == k).tolist() for k in range(n_parts)), key=lambda part: (-len(part), part))


def _shelves(sizes: np.ndarray, target: float, n_nodes: list[int]) -> list[list[int]]:
    """Split the components into rows at most `target` wide, the tallest first; single nodes start a new row."""
    order = sorted(range(len(sizes)), key=lambda k: (n_nodes[k] == 1, -sizes[k, 1], k))
    shelves = [[order[0]]]
    width = sizes[order[0], 0]
    for before, k in pairwise(order):
        first_single = n_nodes[k] == 1 and n_nodes[before] > 1
        if first_single or width + sizes[k, 0] > target + 1e-9:
            shelves.append([])
            width = 0.0
        shelves[-1].append(k)
        width += sizes[k, 0]
    return shelves


def _unit_square(xy: np.ndarray) -> np.ndarray:
    """Scale to [0, 1] x [0, 1]; an extent of zero is centred."""
    low, extent = xy.min(axis=0), np.ptp(xy, axis=0)
    return np.where(extent > 1e-9, (xy - low) / np.where(extent > 1e-9, extent, 1.0), 0.5)
