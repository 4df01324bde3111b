"""The bundled data sets and networks."""

import gzip
import hashlib
import re

import numpy as np
import pytest

from learners.errors import ParameterError
from learners.network import GaussianNetwork
from learners.samples import FOLDER, NETWORKS, SAMPLES, load_network, load_sample
from learners.tables import read_table
from sample_data import make

SOURCES = (FOLDER / "SOURCES.md").read_text(encoding="utf-8")


def _content(path) -> bytes:
    raw = path.read_bytes()
    return gzip.decompress(raw) if path.suffix == ".gz" else raw


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    """What make.py would write now."""
    return make.simulated()


@pytest.mark.parametrize("path", [*make.SIMULATED, "data/gauss30.csv.gz", "networks/gauss30.json"])
def test_bundled_file_equals_what_its_script_makes(made, path):
    """Bit for bit, once unpacked; the packing itself may differ between versions of zlib."""
    assert _content(FOLDER / path) == made[path]


@pytest.mark.parametrize("key", SAMPLES)
def test_sample_is_as_the_catalogue_says(key):
    """Size, kind and truth; the file reads like any upload, in the same shape."""
    sample = SAMPLES[key]
    loaded = load_sample(key)
    table = read_table(sample.path)
    assert (table.n, table.p) == (sample.n, sample.p)
    assert (loaded.dataset is None) == (sample.kind == "mixed")
    if loaded.dataset is not None:
        assert loaded.dataset.kind == sample.kind
        assert (loaded.dataset.n, loaded.dataset.p) == (sample.n, sample.p)
        assert loaded.dataset.names == table.names
    assert (loaded.truth is not None) == sample.truth == (not sample.real)
    assert loaded.truth is None or (loaded.truth.p == sample.p and loaded.truth.is_dag)
    assert sample.description.endswith(".")


@pytest.mark.parametrize("key", NETWORKS)
def test_network_is_as_the_catalogue_says(key):
    """Size, kind, and a row in SOURCES.md for its file."""
    entry, network = NETWORKS[key], load_network(key)
    assert (network.p, network.dag.n_edges) == (entry.p, entry.n_edges)
    assert isinstance(network, GaussianNetwork) == (entry.kind == "continuous")
    assert f"`{entry.path.name}`" in SOURCES
    assert entry.description.endswith(".")


def test_every_bundled_file_is_in_the_catalogue_and_has_a_source():
    """No file without its entry, and every data file with a row that names where it came from."""
    assert {path.name for path in (FOLDER / "data").iterdir()} == {sample.path.name for sample in SAMPLES.values()}
    assert {path.name for path in (FOLDER / "networks").iterdir()} == {e.path.name for e in NETWORKS.values()}
    for sample in SAMPLES.values():
        assert f"| `{sample.path.name}` | {sample.n} | {sample.p} |" in SOURCES


def test_real_data_are_the_files_that_were_extracted():
    """The checksums of SOURCES.md, which were written when the licences were looked at."""
    sums = dict(re.findall(r"^\| `(\S+\.csv)` .*`([0-9a-f]{64})` \|$", SOURCES, re.MULTILINE))
    assert set(sums) == {sample.path.name for sample in SAMPLES.values() if sample.real}
    for name, expected in sums.items():
        assert hashlib.sha256((FOLDER / "data" / name).read_bytes()).hexdigest() == expected


def test_bundle_stays_small():
    """About 2 MB in all."""
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if "__pycache__" not in path.parts) < 2_000_000


def test_insurance_keeps_its_level_none_and_its_unobserved_levels():
    """None is a word there; the most expensive accidents are declared though nobody had one."""
    data = load_sample("insurance").dataset
    j = data.index("Accident")
    assert data.levels[j] == ("None", "Mild", "Moderate", "Severe")
    assert np.bincount(data.codes[j])[0] > 1000
    j = data.index("ThisCarCost")
    assert data.levels[j][3] == "Million"
    assert data.codes[j].max() < 3


def test_penguins_have_missing_cells_and_mixed_columns():
    """The sample for the Data page: eleven birds without a sex, two not measured."""
    table = read_table(SAMPLES["penguins"].path)
    missing = table.frame.isin(["NA"])
    assert missing["sex"].sum() == 11
    assert missing["body_mass_g"].sum() == 2


def test_gaussian_network_file_is_read_as_it_is_written():
    """Numbers of ecoli70 by eye: aceB = 0.1324 + 1.0464 icdA + e, variance of e 0.0853."""
    network = load_network("ecoli70")
    ace, icd = network.names.index("aceB"), network.names.index("icdA")
    assert network.dag.parents(ace) == (icd,)
    assert (network.intercept[ace], network.weights[icd, ace], network.noise_variance[ace]) == (0.1324, 1.0464, 0.0853)


@pytest.mark.parametrize(("load", "word"), [(load_sample, "asai"), (load_network, "alram")], ids=["sample", "network"])
def test_unknown_key_is_answered_with_a_near_one(load, word):
    """A slip of the finger gets a suggestion."""
    with pytest.raises(ParameterError, match="did you mean '(asia|alarm)'"):
        load(word)
