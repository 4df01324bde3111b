"""The bundled data sets and networks, listed in ``sample_data/catalogue.json``."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import numpy as np
import pandas as pd

from ..common.checks import check_choice
from ..common.validation import validated
from ..data.dataset import Dataset
from ..graphs.graph import PDAG
from ..networks.network import DiscreteNetwork, GaussianNetwork, Network
from .bif import read_bif

LIBRARY = Path(__file__).parents[1]
# The folder lies next to the library in a clone, and inside it in an installation.
FOLDER = next(home / "sample_data" for home in (LIBRARY, LIBRARY.parent) if (home / "sample_data").is_dir())


@dataclass(frozen=True)
class Sample:
    """A bundled data set.

    Attributes
    ----------
    key, title, description : str
        The description is one sentence for a newcomer.
    kind : "categorical", "continuous" or "mixed"
    n, p : int
        Rows and columns.
    network : str or None
        Key of the network it was drawn from.
    path : Path
        The CSV file, plain or gzip, as a user might upload it.
    """

    key: str
    title: str
    description: str
    kind: Literal["categorical", "continuous", "mixed"]
    n: int
    p: int
    network: str | None
    path: Path

    @property
    def truth(self) -> bool:
        """True if the true graph is known."""
        return self.network is not None

    @property
    def real(self) -> bool:
        """True for observed data, False for data simulated from a network."""
        return self.network is None


@dataclass(frozen=True)
class NetworkEntry:
    """A bundled network. `kind` is "categorical" or "continuous", `p` and `n_edges` its size, `path` its file."""

    key: str
    title: str
    description: str
    kind: Literal["categorical", "continuous"]
    p: int
    n_edges: int
    path: Path


@dataclass(frozen=True)
class LoadedSample:
    """A sample with its data.

    Attributes
    ----------
    sample : Sample
    dataset : Dataset or None
        All levels of the network are declared, observed or not. None if columns have mixed types or cells are
        missing: such a table needs a plan, as an uploaded one.
    truth : PDAG or None
        The DAG that generated the data, nodes in column order.
    """

    sample: Sample
    dataset: Dataset | None
    truth: PDAG | None


@validated
def load_sample(key: str) -> LoadedSample:
    """Load a bundled data set, with its true graph if that is known.

    Raises
    ------
    ParameterError
        If there is no sample `key`.

    Examples
    --------
    >>> asia = load_sample("asia")
    >>> asia.dataset, asia.truth.n_edges
    (Dataset(categorical, n=5000, p=8), 8)
    """
    check_choice("sample", key, list(SAMPLES))
    sample = SAMPLES[key]
    if sample.kind == "mixed":
        return LoadedSample(sample, None, None)
    if sample.network is None:
        return LoadedSample(sample, Dataset.from_frame(_frame(sample)), None)
    network = load_network(sample.network)
    frame = _frame(sample)
    if isinstance(network, DiscreteNetwork):
        for name, levels in zip(network.names, network.levels, strict=True):
            frame[name] = pd.Categorical(frame[name], categories=list(levels))
    return LoadedSample(sample, Dataset.from_frame(frame), network.dag)


@validated
def load_network(key: str) -> Network:
    """Load a bundled network.

    Raises
    ------
    ParameterError
        If there is no network `key`.

    Examples
    --------
    >>> load_network("alarm")
    DiscreteNetwork(p=37, edges=46, parameters=509)
    """
    check_choice("network", key, list(NETWORKS))
    entry = NETWORKS[key]
    if entry.kind != "categorical":
        return _read_gaussian(entry.path)
    return read_bif(gzip.decompress(entry.path.read_bytes()))  # a bundled file, so it is not read in the sandbox


def _frame(sample: Sample) -> pd.DataFrame:
    # A level may be called None or NA: text columns are read unchanged.
    dtype = str if sample.kind == "categorical" else np.float64
    return pd.read_csv(sample.path, dtype=dtype, keep_default_na=False)


def _read_gaussian(path: Path) -> GaussianNetwork:
    """Read the JSON of pgmpy: ``nodes``, and for each a ``cpds`` entry with coefficients, variance and parents."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    names = stored["nodes"]
    index = {name: j for j, name in enumerate(names)}
    weights, variance, intercept = np.zeros((len(names), len(names))), np.empty(len(names)), np.empty(len(names))
    for name, j in index.items():
        cpd = stored["cpds"][name]
        for parent in cpd["parents"]:
            weights[index[parent], j] = cpd["coefficients"][parent][0]
        intercept[j] = cpd["coefficients"]["(Intercept)"][0]
        variance[j] = cpd["variance"][0]
    return GaussianNetwork(names, weights, variance, intercept)


def _catalogue() -> tuple[Mapping[str, Sample], Mapping[str, NetworkEntry]]:
    stored = json.loads((FOLDER / "catalogue.json").read_text(encoding="utf-8"))
    samples = {e["key"]: Sample(**{**e, "path": FOLDER / "data" / e["path"]}) for e in stored["samples"]}
    networks = {e["key"]: NetworkEntry(**{**e, "path": FOLDER / "networks" / e["path"]}) for e in stored["networks"]}
    return MappingProxyType(samples), MappingProxyType(networks)


SAMPLES, NETWORKS = _catalogue()
