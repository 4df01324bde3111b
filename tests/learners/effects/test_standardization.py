"""Tests of effects on categories with numbers: truth by simulation, coverage of intervals, units, weights, refusals."""

import numpy as np
import pytest
from scipy.special import expit

from learners import DataError, Dataset
from learners.effects.estimates import adjusted_effect, effect_difference
from learners.effects.ida import effect_interval, possible_effects
from learners.effects.standardization import MAX_WORK
from learners.graphs.graph import PDAG

RUNS = 200
MANY = 100_000


def table(*names: str, arity: tuple[int, ...] = (3,), **columns: np.ndarray) -> Dataset:
    """Return a table of named columns: floats are numbers, whole numbers are levels."""
    levels = [name for name in names if columns[name].dtype.kind in "iu"]
    numbers = [name for name in names if name not in levels]
    parts = [Dataset.from_codes(np.array([columns[name] for name in levels]), arity, levels)]
    if numbers:
        parts.append(Dataset.from_values(np.column_stack([columns[name] for name in numbers]), numbers))
    return Dataset.joined(names, *parts)


def draw(n: int, seed: int, *, dose: bool, set_to: float | None = None) -> Dataset:
    """Return rows of z -> x, z -> y and x -> y: z is a number, x a dose or a treatment, and y categorical."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    x = 0.8 * z + rng.normal(size=n) if dose else (rng.random(n) < expit(z)).astype(float)
    if set_to is not None:
        x = x + set_to if dose else np.full(n, set_to)
    signal = np.column_stack([np.zeros(n), -0.5 + 0.7 * x + 0.9 * z, -1.0 - 0.6 * x + 0.5 * z])
    y = (signal + rng.gumbel(size=(n, 3))).argmax(axis=1)
    return table("z", "x", "y", z=z, x=x if dose else x.astype(int), y=y, arity=(3,) if dose else (2, 3))


def truth(*, dose: bool) -> np.ndarray:
    """Return the simulated change of the probabilities of y per unit of x, or from level 0 to level 1."""
    step = 0.2 if dose else 1.0
    after, before = (
        np.bincount(draw(MANY, 0, dose=dose, set_to=level).codes[-1], minlength=3) / MANY
        for level in ((step / 2, -step / 2) if dose else (1.0, 0.0))
    )
    return (after - before) / step


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("dose", [True, False])
def test_many_rows_give_the_simulated_effect(dose):
    wanted, data = truth(dose=dose), draw(8_000, 1, dose=dose)
    found = [effect_difference(data, 1, 2, [0], of=level) for level in range(3)]
    assert [one.value for one in found] == pytest.approx(wanted, abs=0.02)
    assert all(one.high - one.low < 0.06 for one in found)


@pytest.mark.deep
@pytest.mark.parametrize("dose", [True, False])
def test_intervals_cover_the_simulated_effect_as_often_as_they_say(dose):
    """Without adjustment the effect is overestimated."""
    wanted, inside, plain = truth(dose=dose)[1], [], []
    for seed in range(1, 1 + RUNS):
        data = draw(200, seed, dose=dose)
        found = effect_difference(data, 1, 2, [0], of=1)
        inside.append(found.low <= wanted <= found.high)
        plain.append(effect_difference(data, 1, 2, of=1).value)
    assert 0.91 <= np.mean(inside) <= 0.99
    assert np.mean(plain) > wanted + 0.05


def test_each_number_is_consistent_with_the_others():
    """Shares add up to 1, slopes to 0; a difference is that of its shares; an unadjusted share is that of the rows."""
    data = draw(500, 1, dose=False)
    found = adjusted_effect(data, 1, 2, [0])
    assert (found.measure, found.values.shape, found.covered.tolist()) == ("shares", (2, 3), [1.0, 1.0])
    assert found.values.sum(axis=1) == pytest.approx([1, 1])
    assert (found.low <= found.values).all()
    assert (found.values <= found.high).all()
    there, back = (effect_difference(data, 1, 2, [0], levels=ends, of=2) for ends in ((0, 1), (1, 0)))
    assert there.value == pytest.approx(found.values[1, 2] - found.values[0, 2])
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low))
    slopes = adjusted_effect(draw(500, 1, dose=True), 1, 2, [0])
    assert (slopes.measure, slopes.values.shape) == ("slopes", (3,))
    assert slopes.values.sum() == pytest.approx(0.0, abs=1e-12)


def test_a_slope_depends_on_the_unit_alone():
    """A tenth of the unit gives a tenth of the change; shifts and the unit of the adjustment set change nothing."""
    data = draw(400, 3, dose=True)
    own = adjusted_effect(data, 1, 2, [0])
    z, x = data.values[:, data.place[0]], data.values[:, data.place[1]]
    for shift in (1e6, 1e12):  # such as seconds since 1970
        other = table("z", "x", "y", z=shift + 1e3 * z, x=10.0 * x - 7.0, y=data.codes[0])
        found = adjusted_effect(other, 1, 2, [0])
        for part in ("values", "low", "high"):
            assert getattr(found, part) * 10.0 == pytest.approx(getattr(own, part), rel=1e-4)


@pytest.mark.parametrize("dose", [True, False])
def test_weights_are_repeated_rows(dose):
    data = draw(150, 4, dose=dose)
    times = np.random.default_rng(0).integers(1, 4, 150)
    repeated = data.take(np.repeat(np.arange(150), times))
    for given in ([], [0]):
        one, other = adjusted_effect(data.with_weights(times), 1, 2, given), adjusted_effect(repeated, 1, 2, given)
        for part in ("values", "low", "high"):
            assert getattr(one, part) == pytest.approx(getattr(other, part), abs=1e-6)


def test_levels_without_rows_are_unknown_and_never_the_reference():
    """The same table with an absent first level gives the same numbers for the others."""
    data = draw(300, 5, dose=False)
    x, y = data.codes
    wider = table("z", "x", "y", z=data.values[:, 0], x=x + 1, y=y, arity=(4, 3))
    found, own = adjusted_effect(wider, 1, 2, [0]), adjusted_effect(data, 1, 2, [0])
    assert found.values[1:3] == pytest.approx(own.values)
    assert np.isnan(found.values[[0, 3]]).all()
    assert found.covered.tolist() == [0, 1, 1, 0]


def test_possible_effects_of_a_number_on_levels_have_one_shape():
    """In the class of z - x - y with y -> x the effect is 0, else a slope for each level."""
    data = draw(300, 6, dose=True)
    found = possible_effects(PDAG.from_edges(3, undirected=[(0, 1), (1, 2), (0, 2)]), data, 1, 2)
    assert {one.values.shape for one in found} == {(3,)}
    low, high = effect_interval(found)
    assert (low <= 0).all()
    assert (high >= 0).all()


@pytest.mark.parametrize("seed", range(3))
def test_separated_levels_have_finite_numbers(seed):
    """A threshold of x that decides y gives finite slopes and intervals."""
    x = np.random.default_rng(seed).normal(size=80)
    data = table("x", "y", x=x, y=(x > 0).astype(int), arity=(2,))
    found = adjusted_effect(data, 0, 1)
    assert np.isfinite([found.values, found.low, found.high]).all()
    assert found.low[1] > 0


def test_what_the_rows_do_not_determine_is_refused():
    data = draw(100, 7, dose=True)
    z = data.values[:, data.place[0]]
    same = table("z", "x", "y", z=z, x=2 * z, y=data.codes[0])
    with pytest.raises(DataError, match="linearly dependent"):
        adjusted_effect(same, 1, 2, [0])
    constant = table("z", "x", "y", z=z, x=np.full(100, 3.0), y=data.codes[0])
    with pytest.raises(DataError, match="linearly dependent"):
        adjusted_effect(constant, 1, 2, [0])
    with pytest.raises(DataError, match="needs more than 3 rows"):
        adjusted_effect(data.take(np.arange(3)), 1, 2, [0])
    n, r = 3_000, 500
    assert n * (3 * r) ** 2 > MAX_WORK
    z, x = np.random.default_rng(0).normal(size=(2, n))
    wide = table("z", "x", "y", z=z, x=x, y=np.arange(n) % r, arity=(r,))
    with pytest.raises(DataError, match="500 levels of 'y' on 2 columns is too large; merge levels"):
        adjusted_effect(wide, 1, 2, [0])
