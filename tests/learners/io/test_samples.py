"""Tests of the bundled data sets and networks."""

import gzip
import hashlib
import re
from itertools import combinations

import numpy as np
import pytest

from learners.common.errors import ParameterError
from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.reading.table import read_table
from learners.families.constraint_based.pc import pc
from learners.independence import DSeparation, FisherZ
from learners.io.samples import FOLDER, NETWORKS, SAMPLES, load_network, load_sample
from learners.networks.network import GaussianNetwork
from learners.registry import LEARNERS
from sample_data import make

SOURCES = (FOLDER / "SOURCES.md").read_text(encoding="utf-8")


def _content(path) -> bytes:
    raw = path.read_bytes()
    return gzip.decompress(raw) if path.suffix == ".gz" else raw


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    """Return the files that make.py would write now."""
    return make.simulated()


@pytest.mark.parametrize(
    "path",
    [*make.SIMULATED, *(f for key in ("gauss30", "letters") for f in (f"data/{key}.csv.gz", f"networks/{key}.json"))],
)
def test_bundled_file_equals_what_its_script_makes(made, path):
    """The unpacked content is equal to the last bit; the compression may differ between versions of zlib."""
    assert _content(FOLDER / path) == made[path]


@pytest.mark.gate_cases(5)
@pytest.mark.parametrize("key", SAMPLES)
def test_sample_is_as_the_catalogue_says(key):
    """Size, type and truth are those of the catalogue, and the file can be read like an uploaded one."""
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


@pytest.mark.gate_cases(6)
@pytest.mark.parametrize("key", NETWORKS)
def test_network_is_as_the_catalogue_says(key):
    """Size and type are those of the catalogue, and SOURCES.md has a row for the file."""
    entry, network = NETWORKS[key], load_network(key)
    assert (network.p, network.dag.n_edges) == (entry.p, entry.n_edges)
    assert isinstance(network, GaussianNetwork) == (entry.kind == "continuous")
    assert f"`{entry.path.name}`" in SOURCES
    assert entry.description.endswith(".")


def test_every_bundled_file_is_in_the_catalogue_and_has_a_source():
    """Every file has an entry, and every data file a row with its origin in SOURCES.md."""
    assert {path.name for path in (FOLDER / "data").iterdir()} == {sample.path.name for sample in SAMPLES.values()}
    assert {path.name for path in (FOLDER / "networks").iterdir()} == {e.path.name for e in NETWORKS.values()}
    for sample in SAMPLES.values():
        assert f"| `{sample.path.name}` | {sample.n} | {sample.p} |" in SOURCES


def test_real_data_are_the_files_that_were_extracted():
    """The checksums are those of SOURCES.md, recorded when the licences were checked."""
    sums = dict(re.findall(r"^\| `(\S+\.csv(?:\.gz)?)` .*`([0-9a-f]{64})` \|$", SOURCES, re.MULTILINE))
    assert set(sums) == {sample.path.name for sample in SAMPLES.values() if sample.real}
    for name, expected in sums.items():
        assert hashlib.sha256((FOLDER / "data" / name).read_bytes()).hexdigest() == expected


def test_bundle_stays_small():
    """The bundled data sets and networks take less than 2 MB."""
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if "__pycache__" not in path.parts) < 2_000_000


def test_insurance_keeps_its_level_none_and_its_unobserved_levels():
    """The level "None" is not missing; the level of the most expensive cars is declared, although it has no rows."""
    data = load_sample("insurance").dataset
    j = data.index("Accident")
    assert data.levels[j] == ("None", "Mild", "Moderate", "Severe")
    assert np.bincount(data.codes[j])[0] > 1000
    j = data.index("ThisCarCost")
    assert data.levels[j][3] == "Million"
    assert data.codes[j].max() < 3


def test_penguins_have_missing_cells_and_mixed_columns():
    """Eleven penguins have no sex recorded, and two have no measurements."""
    table = read_table(SAMPLES["penguins"].path)
    missing = table.frame.isin(["NA"])
    assert missing["sex"].sum() == 11
    assert missing["body_mass_g"].sum() == 2


def test_every_learner_takes_a_mixed_sample():
    """The start page has a mixed table with missing cells, and no learner refuses it."""
    table = read_table(SAMPLES["penguins"].path)
    data = prepare(table, default_plan(table)).dataset
    assert (data.kind, data.complete) == ("mixed", False)
    assert [key for key, learner in LEARNERS.items() if learner.refusal(data)] == []


def test_gaussian_network_file_is_read_as_it_is_written():
    """In ecoli70, aceB = 0.1324 + 1.0464 icdA + e with a noise variance of 0.0853."""
    network = load_network("ecoli70")
    ace, icd = network.names.index("aceB"), network.names.index("icdA")
    assert network.dag.parents(ace) == (icd,)
    assert (network.intercept[ace], network.weights[icd, ace], network.noise_variance[ace]) == (0.1324, 1.0464, 0.0853)


def _letters(text: str) -> list[int]:
    return [load_network("letters").names.index(letter) for letter in text]


def test_letters_fit_every_sentence_about_the_example_of_the_lmm_paper():
    """The network agrees with every statement of Mahdi and Mezey (2013), section 6.3.1, about their example."""
    dag = load_network("letters").dag
    assert (dag.p, dag.n_edges) == (19, 20)
    (f,), (j,), (g,), (o,) = (_letters(letter) for letter in "FJGO")
    assert set(_letters("HKJ")) <= set(dag.adjacent(f))  # "node F is connected to all of H, K, and J"
    assert dag.parents(j) == (f,)  # "node J has only one parent"
    assert sorted(dag.parents(f)) == _letters("EGH")  # "grandparent variables (nodes E, G, and H)"
    assert set(_letters("JK")) <= set(dag.children(f))  # "sibling variables (node K)"
    assert g not in dag.adjacent(j)  # "E_JG is false"
    assert set(_letters("NQR")) <= set(dag.children(o))
    assert len(dag.adjacent(o)) == 6  # E_ON is tested given subsets "of the other 5 neighbors"
    oracle = DSeparation(dag)
    pairs = list(combinations(dag.children(o), 2))
    assert len(pairs) == 10
    assert all(oracle.test(x, y, (o,)).p_value == 1 for x, y in pairs)  # "their mutual dependence is blocked"


def test_letters_are_strong_enough_to_be_learnt_from_a_thousand_rows():
    """Weights are in the paper's range, and each edge has partial correlations above 0.2, as stated in SOURCES.md."""
    network = load_network("letters")
    dag, sizes = network.dag, np.abs(network.weights[network.weights != 0])
    assert sizes.min() >= 0.1
    assert sizes.max() <= 1
    effect = np.linalg.inv(np.eye(19) - network.weights.T)
    covariance = effect @ np.diag(network.noise_variance) @ effect.T

    def partial(x: int, y: int, cond: tuple[int, ...]) -> float:
        precision = np.linalg.inv(covariance[np.ix_([x, y, *cond], [x, y, *cond])])
        return abs(precision[0, 1]) / np.sqrt(precision[0, 0] * precision[1, 1])

    for i, j in dag.directed_edges():
        for x, y in ((i, j), (j, i)):
            others = [k for k in dag.adjacent(x) if k != y]
            assert min(partial(x, y, cond) for r in range(len(others) + 1) for cond in combinations(others, r)) > 0.2
    for k in range(19):
        assert all(partial(x, y, (k,)) > 0.2 for x, y in combinations(dag.parents(k), 2))


def test_pc_finds_the_letters_skeleton():
    """PC at level 0.01 finds all twenty edges of the bundled rows and no other."""
    letters = load_sample("letters")
    found = pc(FisherZ(letters.dataset), alpha=0.01).graph
    np.testing.assert_array_equal(found.skeleton, letters.truth.skeleton)


@pytest.mark.parametrize(("load", "word"), [(load_sample, "asai"), (load_network, "alram")], ids=["sample", "network"])
def test_unknown_key_is_answered_with_a_near_one(load, word):
    """The error for a misspelt key suggests a similar key."""
    with pytest.raises(ParameterError, match="did you mean '(asia|alarm)'"):
        load(word)
