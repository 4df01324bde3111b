"""What a learner owes on every table: all column types, missing cells, row weights, knowledge, and all of them at once.

A run explains each pair in each language, is replayed, calibrated, swept, stored and exported; or the learner states
the one true reason why it does not take the table.
"""

from __future__ import annotations

import json
from itertools import combinations, product

import numpy as np
import pytest

from learners.common.errors import DataError
from learners.data.dataset import Dataset
from learners.explaining.explanation import explanation
from learners.graphs.knowledge import Knowledge
from learners.io.edge_csv import to_adjacency_csv
from learners.io.interchange import to_dot, to_graphml, to_json
from learners.networks.missing_cells import with_missing_cells
from learners.networks.mixed_network import random_mixed_network
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.recipes.replay_file import replay
from learners.registry import LEARNERS, calibrate, learn
from learners.settings.learner import EVERY_KIND
from learners.store.packing import pack, unpack
from learners.sweeping.sweep import sweep
from tests.learners.sweeping.test_sweep import some_values
from tests.viz.replay_page.opening import ReplayFile
from tests.viz.test_kinds import FEW
from viz.kinds import kind_of, timeline
from viz.translation.sentences import LANGUAGES, catalog

P, ROWS = 5, 150
COMPLICATIONS = (("none", False), ("counts", True), ("survey", True))  # row weights, and knowledge or none
CASES = [
    pytest.param(key, kind, missing, *other, id=f"{key} {kind}{' missing' * missing} {other[0]}{' known' * other[1]}")
    for key, kind, missing, other in product(LEARNERS, EVERY_KIND, (False, True), COMPLICATIONS)
]


def table(kind: str, missing: bool, weights: str) -> Dataset:
    """Return rows of a random network of one kind, with missing cells or row weights if wanted."""
    if kind == "continuous":
        network = random_gaussian_network(P, 5, seed=4)
    else:
        network = random_mixed_network(P, 5, seed=4, categorical=1.0 if kind == "categorical" else 0.4)
    data = sample(network, ROWS, seed=4)
    assert data.kind == kind
    if missing:
        data = with_missing_cells(data, 0.08, "mcar", seed=4)
    rng = np.random.default_rng(4)
    if weights == "counts":
        return data.with_weights(rng.integers(1, 4, ROWS))
    return data.with_weights(rng.uniform(0.4, 2.5, ROWS)) if weights == "survey" else data


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(("key", "kind", "missing", "weights", "known"), CASES)
def test_a_learner_does_what_it_owes_on_every_table(key, kind, missing, weights, known):
    learner, data, few = LEARNERS[key], table(kind, missing, weights), FEW.get(key, {})
    a, b, c, d, _ = data.names
    knowledge = Knowledge(required=[(a, b)], forbidden=[(c, d), (d, c)]) if known else None
    refusal = learner.refusal(data)
    assert (refusal is None) == (kind in learner.kinds)
    if refusal:
        assert refusal.endswith(learner.why_kinds)
        with pytest.raises(DataError, match="needs"):
            learn(key, data)
        return

    result = learn(key, data, knowledge=knowledge, **few)
    assert result.complete
    if known:
        assert result.graph.amat[0, 1]
        assert not result.graph.amat[2, 3] | result.graph.amat[3, 2]

    for pair, language in product(combinations(range(P), 2), LANGUAGES):  # Explain
        texts = explanation(result, pair, data).written(catalog(language))
        assert all(texts), (pair, language)
        assert "nan" not in " ".join(texts).split(), (pair, language)

    shown = timeline(result, np.zeros((P, 2)))  # the slider, and the replay file
    assert shown["steps"]["text"]
    assert ReplayFile(replay(result, data).to_html()).packs["page"]["names"] == list(data.names)

    assert unpack(pack(result)).graph == result.graph  # store and exports
    assert kind_of(unpack(pack(result))) is kind_of(result)
    assert json.loads(to_json(result.graph, data.names))
    assert all(write(result.graph, data.names) for write in (to_dot, to_graphml, to_adjacency_csv))

    if result.posterior is not None and weights != "survey":
        assert calibrate(result, data, tables=1, knowledge=knowledge).n_tables == 1

    numeric = (one for one in learner.parameters_of(data) if not (one.choices or one.column or one.only_if))
    swept = next((one for one in numeric if one.name not in few and not isinstance(one.default, bool)), None)
    if swept is None:
        return
    values = some_values(learner, data, swept, few)[:2]
    found = sweep(key, data, swept.name, values, knowledge=knowledge, **few)
    for value, one in zip(values, found.results, strict=True):
        assert one.graph == learn(key, data, knowledge=knowledge, **few, **{swept.name: value}).graph
