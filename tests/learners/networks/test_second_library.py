"""Tests of bundled networks against pgmpy, which uses variable elimination, and of our BIF files."""

from __future__ import annotations

import warnings

import numpy as np
import pyagrum
import pytest

from learners import DiscreteNetwork, load_network, sample
from learners.io.bif import read_bif, write_bif
from learners.io.samples import NETWORKS
from tests.second_library import in_pgmpy

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pgmpy.inference import VariableElimination
    from pgmpy.readwrite import BIFReader

pytestmark = pytest.mark.compiled  # these tests run no kernel
CATEGORICAL = [key for key, one in NETWORKS.items() if one.kind == "categorical"]
ENTANGLED = ("link", "munin1")  # too large for exact inference without much evidence


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("key", CATEGORICAL)
def test_bundled_networks_answer_as_pgmpy_does(key):
    """The posteriors of a few variables equal pgmpy's to 1e-9, without evidence and given a drawn case.

    Large networks are tested with evidence only.
    """
    network, rng = load_network(key), np.random.default_rng(1)
    engine, codes = VariableElimination(in_pgmpy(network)), sample(network, 1, 3).codes[:, 0]
    order = rng.permutation(network.p).tolist()
    some = {j: int(codes[j]) for j in order[: network.p // 2 if key in ENTANGLED else min(3, network.p - 3)]}
    for known in (some,) if network.p > 500 or key in ENTANGLED else ({}, some):
        found = network.posterior({network.names[j]: network.levels[j][code] for j, code in known.items()})
        for j in order[-3:]:
            expected = engine.query([j], evidence=known, show_progress=False).values
            np.testing.assert_allclose(found[network.names[j]], expected, atol=1e-9)


@pytest.mark.deep
def test_our_bif_is_read_by_other_programs_whatever_the_names(tmp_path):
    """pyAgrum and pgmpy read our BIF file, with identifiers as names.

    Our reader returns the original names and every bit.
    """
    plain, names = load_network("cancer"), ("a/b", '<script>"x"', "größe; {", "probability", "עולם")
    levels = (("<5", ">= 5"), ("", "//"), ("1", "-1"), ("a b", "a_b"), ("yes", "no/*"))
    network = DiscreteNetwork(names, levels, plain.dag, plain.cpts)
    text, path = write_bif(network), tmp_path / "hostile.bif"
    path.write_text(text)
    again = read_bif(text)
    assert (again.names, again.levels, again.dag) == (names, levels, network.dag)
    model, other = BIFReader(string=text).get_model(), pyagrum.loadBN(str(path))
    order = [next(cpd.variable for cpd in model.cpds if f"variable {cpd.variable} " in head) for head in _heads(text)]
    for j, word in enumerate(order):
        np.testing.assert_array_equal(again.cpts[j], network.cpts[j])
        wanted = network.posterior()[names[j]]
        np.testing.assert_allclose(VariableElimination(model).query([word], show_progress=False).values, wanted)
        engine = pyagrum.LazyPropagation(other)
        np.testing.assert_allclose(engine.posterior(word).toarray(), wanted, atol=1e-7)
    assert write_bif(plain).count("property") == 0
    twice = text.replace("edgewise_name = a%2Fb", "edgewise_name = probability")
    assert len(set(read_bif(twice).names)) == 5  # if edited names are equal, the identifiers are used
    assert read_bif(text.replace(" %3C5 %3E%3D%205 ;", " %FF ;")).levels[0][0] != "<5"


def _heads(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("variable ")]
