"""Tests of mixed networks and of missing cells in their samples."""

import numpy as np
import pytest

from learners import (
    PDAG,
    DataError,
    Dataset,
    MixedNetwork,
    ParameterError,
    learn,
    random_gaussian_network,
    random_mixed_network,
    sample,
    with_missing_cells,
)

NETWORK = random_mixed_network(12, 16, seed=3, categorical=0.5, most_levels=4, interactions=0.5)
ROWS = sample(NETWORK, 4_000, seed=5)


def test_the_same_arguments_give_the_same_rows():
    """The same arguments give the same rows, and a smaller sample is the beginning of a larger one."""
    again = random_mixed_network(12, 16, seed=3, categorical=0.5, most_levels=4, interactions=0.5)
    assert sample(again, 4_000, seed=5).fingerprint == ROWS.fingerprint
    assert sample(NETWORK, 100, seed=5).fingerprint == ROWS.take(range(100)).fingerprint
    assert sample(NETWORK, 4_000, seed=6).fingerprint != ROWS.fingerprint


def test_kinds_and_levels_are_those_asked_for():
    """Half of the columns are categorical with 2 to 4 levels; shares of 0 and 1 give a single column type."""
    assert ROWS.kinds.count("categorical") == 6
    assert set(ROWS.arity) <= {2, 3, 4}
    assert tuple(NETWORK.levels > 1) == tuple(kind == "categorical" for kind in ROWS.kinds)
    for share, kind in ((0.0, "continuous"), (1.0, "categorical")):
        assert sample(random_mixed_network(6, 5, seed=1, categorical=share), 50, seed=1).kind == kind


def test_numbers_have_variance_one_and_levels_all_occur():
    """All numbers have variance 1, whatever their position and interactions, and all levels occur."""
    large = sample(random_mixed_network(40, 120, seed=2, interactions=1.0), 3_000, seed=1)
    assert 0.5 < large.values.var(axis=0).min() < large.values.var(axis=0).max() < 4.0
    assert all(len(np.unique(codes)) == r for codes, r in zip(large.codes, large.arity, strict=True))


def test_equations_are_kept():
    """The sample shows the effects of two parents and of their product on a number, and on the log odds of a level."""
    effect, crossed = np.array([[1.0], [-0.5]]), np.array([[0.8]])
    logit = np.array([[0.0, 1.0], [0.0, -0.5]])
    dag = PDAG.from_edges(4, directed=[(0, 2), (1, 2), (0, 3), (1, 3)])
    none, empty = np.empty((0, 1)), (np.empty((0, 1)),) * 2
    net = MixedNetwork(
        ("a", "b", "number", "level"),
        dag,
        [1, 1, 1, 2],
        (none, none, effect, logit),
        (*empty, crossed, np.zeros((1, 2))),
    )
    rows = sample(net, 40_000, seed=1)
    a, b, number = rows.values.T
    design = np.column_stack([a, b, a * b, np.ones(len(a))])
    spread = np.sqrt(1 + 1 + 0.25 + 0.64)
    found = np.linalg.lstsq(design, number, rcond=None)[0]
    np.testing.assert_allclose(found * spread, [1.0, -0.5, 0.8, 0.0], atol=0.03)
    middle = np.abs(a - b / 2) < 0.05
    assert rows.codes[0][middle].mean() == pytest.approx(0.5, abs=0.05)
    assert rows.codes[0][a - b / 2 > 1].mean() > 0.75


def test_what_is_true_is_found():
    """PC with its defaults finds most edges of networks with linear and logit links."""
    network = random_mixed_network(12, 14, seed=7)
    found = learn("pc", sample(network, 5_000, seed=7), alpha=0.01).graph.skeleton
    both = (found & network.dag.skeleton).sum()
    assert 2 * both / (found.sum() + network.dag.skeleton.sum()) > 0.85


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"p": 1}, "^p must be a whole number of at least 2, got 1"),
        ({"n_edges": 99}, r"^n_edges must be in \[0, 66\], got 99"),
        ({"seed": -1}, "^seed must be a whole number of at least 0"),
        ({"categorical": 1.5}, r"^categorical must be in \[0, 1\]"),
        ({"most_levels": 1}, r"^most_levels must be in \[2, 20\]"),
        ({"interactions": float("nan")}, r"^interactions must be in \[0, 1\], got nan"),
    ],
)
def test_bad_parameters_of_a_network_are_refused(asked, sentence):
    with pytest.raises(ParameterError, match=sentence):
        random_mixed_network(**{"p": 12, "n_edges": 10, "seed": 1} | asked)


def test_bad_arrays_of_a_network_are_refused():
    """Invalid arrays are refused with a message that names the node."""
    dag, none = PDAG.from_edges(2, directed=[(0, 1)]), np.empty((0, 1))
    with pytest.raises(DataError, match=r"^effects of 'b' must be \(1, 2\) finite numbers"):
        MixedNetwork(("a", "b"), dag, [1, 2], (none, np.zeros((1, 1))), (none, np.empty((0, 2))))
    with pytest.raises(DataError, match="^levels must be 2 whole numbers of at least 1"):
        MixedNetwork(("a", "b"), dag, [1, 0], (none, none), (none, none))


@pytest.mark.parametrize("mechanism", ["mcar", "mar", "mnar"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_share_of_missing_cells_is_as_requested(mechanism, share):
    """The share of missing cells is right in each incomplete column; other cells and the levels are unchanged."""
    data = with_missing_cells(ROWS, share, mechanism, seed=1)
    there = np.array([data.is_there(j) for j in range(data.p)])
    kept = there.all(axis=1)
    assert kept.sum() == (4 if mechanism == "mar" else 0)
    np.testing.assert_allclose(1 - there[~kept].mean(axis=1), share, atol=0.03)
    assert (data.levels, data.kinds, data.names) == (ROWS.levels, ROWS.kinds, ROWS.names)
    np.testing.assert_array_equal(data.values[~np.isnan(data.values)], ROWS.values[~np.isnan(data.values)])
    assert with_missing_cells(ROWS, share, mechanism, seed=1).fingerprint == data.fingerprint
    assert with_missing_cells(ROWS, share, mechanism, seed=2).fingerprint != data.fingerprint


def test_missing_cells_depend_on_what_their_mechanism_states():
    """Missing cells depend on nothing (mcar), on a complete column (mar), or on their own value (mnar)."""
    for mechanism in ("mcar", "mar", "mnar"):
        data = with_missing_cells(ROWS, 0.3, mechanism, seed=1)
        absent = [~data.is_there(j) for j in range(data.p)]
        score = [ROWS.values[:, ROWS.place[j]] if k == "continuous" else ROWS.codes[ROWS.place[j]] for j, k in
                 enumerate(ROWS.kinds)]  # fmt: skip
        own = [abs(np.corrcoef(score[j], absent[j])[0, 1]) for j in range(data.p) if absent[j].any()]
        others = [
            max(abs(np.corrcoef(score[k], absent[j])[0, 1]) for k in range(data.p) if not absent[k].any())
            for j in range(data.p)
            if absent[j].any() and mechanism == "mar"
        ]
        if mechanism == "mcar":
            assert max(own) < 0.06
        elif mechanism == "mar":
            assert min(others) > 0.3
        else:
            assert min(own) > 0.3


def test_cells_missing_at_random_are_independent_of_values_of_the_same_seed():
    """With the same seed for values and missing cells, missing cells still depend on no column."""
    rows = sample(random_gaussian_network(8, 0, seed=5), 4_000, seed=5)
    absent = np.isnan(with_missing_cells(rows, 0.3, seed=5).values)
    related = np.corrcoef(np.column_stack([rows.values, absent]).T)[:8, 8:]
    assert np.abs(related).max() < 0.06


def test_invalid_missingness_is_refused():
    """Invalid shares and mechanisms are refused, and so are rows with missing cells or weights.

    A share of 0 returns the same rows.
    """
    assert with_missing_cells(ROWS, 0.0, seed=1) is ROWS
    with pytest.raises(ParameterError, match=r"^share must be in \[0, 0.9\], got 1.0"):
        with_missing_cells(ROWS, 1.0, seed=1)
    with pytest.raises(ParameterError, match="^unknown mechanism 'mar '; did you mean 'mar'"):
        with_missing_cells(ROWS, 0.1, "mar ", seed=1)
    for data in (
        with_missing_cells(ROWS, 0.1, seed=1),
        Dataset.from_codes(np.zeros((2, 3), int), [1, 1], list("ab"), None, [1] * 3),
    ):
        with pytest.raises(DataError, match="^missing cells can only be made in complete data"):
            with_missing_cells(data, 0.1, seed=1)


def test_a_column_keeps_a_cell():
    """Each column keeps at least one present cell, however few the rows are."""
    few = sample(random_gaussian_network(5, 4, seed=1), 4, seed=1)
    for seed in range(30):
        assert with_missing_cells(few, 0.9, seed=seed).incomplete.shape == (5,)
        assert (~np.isnan(with_missing_cells(few, 0.9, seed=seed).values)).any(axis=0).all()
