"""The networks of Huang and Zhou (2022), table 1, and data drawn from them."""

from __future__ import annotations

from functools import cache

from learners import PDAG, Dataset, DiscreteNetwork, cpdag, load_network, sample
from learners.networks.sampling import permute_columns
from learners.networks.state_merging import merge_states, without_impossible_states
from learners.networks.tiling import tile_networks

from .experiment import Piece

ROWS = 25_000
MIX = "mix"
# Number of tiles of each network, in the order of the table, which is by increasing complexity.
TILES = {
    "earthquake": 200,
    "cancer": 200,
    "asia": 125,
    "survey": 167,
    "andes": 5,
    "win95pts": 14,
    "child": 50,
    "alarm": 28,
    MIX: 14,
    "sachs": 91,
    "pigs": 3,
    "hepar2": 15,
    "insurance": 38,
    "hailfinder": 18,
    "water": 39,
    "munin1": 7,
    "pathfinder": 10,
    "diabetes": 3,
    "mildew": 29,
    "barley": 21,
}
MIXED = [name for name in TILES if name != MIX][:14]  # the fourteen least complex networks


def drawn(piece: Piece) -> tuple[PDAG, Dataset]:
    """Draw the CPDAG of a piece's tiled network and its rows, both with the columns in random order."""
    seed = piece["seed"]
    network = tiled(piece["network"], seed, piece.get("tiles"))
    data, dag = permute_columns(sample(network, ROWS, seed), network.dag, seed)
    return cpdag(dag), data


def tiled(name: str, seed: int, tiles: int | None = None) -> DiscreteNetwork:
    """Return a network of table 1, or a version with fewer `tiles`; the seed determines their connections."""
    return tile_networks([_tile(one) for one in (MIXED if name == MIX else [name] * (tiles or TILES[name]))], seed)


@cache
def _tile(name: str) -> DiscreteNetwork:
    # The paper merges states once for each network, so every tile has the same states.
    return merge_states(without_impossible_states(load_network(name)), seed=0)
