"""Parameter tables of every kind of network: round trips, and edits that return copies."""

from __future__ import annotations

import numpy as np
import pytest

from learners import LearnersError, fit, load_network, random_mixed_network, sample
from viz.query.parameters import NOISE, interval_table, node_table, with_numbers

MIXED = random_mixed_network(7, 9, 4)
NETWORKS = {
    "tables": lambda: fit(load_network("asia").dag, sample(load_network("asia"), 300, 1)),
    "numbers": lambda: fit(load_network("ecoli70").dag, sample(load_network("ecoli70"), 300, 1)),
    "both": lambda: fit(MIXED.dag, sample(MIXED, 2_000, 1)),
}


@pytest.mark.parametrize("make", NETWORKS.values(), ids=NETWORKS)
def test_parameter_tables_round_trip(make):
    """All numbers except variances have intervals and the number of rows."""
    network = make()
    for j in range(network.p):
        own = node_table(network, j)
        again = with_numbers(network, j, own.to_numpy())
        np.testing.assert_array_equal(node_table(again, j), own)
        assert again.fitted.nodes[j] is None
        sure = interval_table(network, network.fitted, j)
        assert sure.index.equals(own.index)
        assert (sure["few"] <= (sure["rows"] < 10 * own.shape[1])).all()
        for k, column in enumerate(sure.columns[2:]):
            low, high = np.array(
                [cell.replace("−", "-").strip("[]").split(", ") for cell in sure[column]], dtype=float
            ).T
            values = own.iloc[:, k].to_numpy()
            assert (low - 1e-3 * abs(low) <= values).all(), column
            assert (values <= high + 1e-3 * abs(high)).all(), column


@pytest.mark.parametrize("make", NETWORKS.values(), ids=NETWORKS)
def test_edits_are_applied_and_invalid_ones_rejected(make):
    """An edit changes one line of one variable in a copy; the original network is unchanged."""
    network = make()
    for j in range(network.p):
        own = node_table(network, j)
        wanted = own.copy()
        if NOISE in own:
            wanted.iloc[0, 0] += 1.0
            wrong = own.assign(**{NOISE: 0.0})
        elif (own.sum(axis=1).round(9) == 1).all():
            wanted.iloc[0] = own.iloc[0, ::-1].to_numpy()
            wrong = own * 2
        else:
            wanted.iloc[0, 0] += 1.0
            wrong = own * np.nan
        np.testing.assert_array_equal(node_table(with_numbers(network, j, wanted.to_numpy()), j), wanted)
        np.testing.assert_array_equal(node_table(network, j), own)
        with pytest.raises(LearnersError, match=network.names[j]):
            with_numbers(network, j, wrong.to_numpy())
