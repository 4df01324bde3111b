"""Tests of the sentences on imputed cells."""

import pytest

from learners import learn, load_network, random_gaussian_network, sample, with_missing_cells
from learners.explaining.explanation import explanation

HOLED = with_missing_cells(sample(load_network("asia"), 300, seed=1), 0.2, "mar", seed=2)
NUMBERS = with_missing_cells(sample(random_gaussian_network(5, 6, seed=1), 300, seed=1), 0.2, "mcar", seed=2)


@pytest.mark.parametrize("data", [HOLED, NUMBERS], ids=["levels", "numbers"])
def test_a_pair_with_missing_cells_says_what_was_completed(data):
    """The text names complete rows, networks with the edge, and the assumption; complete pairs need no text."""
    result = learn("ges", data)
    whole = [j for j in range(data.p) if not data.incomplete[j]]
    for x in range(data.p):
        for y in range(x):
            said = explanation(result, (x, y), data).written()
            both = int((data.is_there(x) & data.is_there(y)).sum())
            some = x not in whole or y not in whole
            # EM fills in no cell, so nothing was imputed in tables with numbers.
            how = "; missing cells were imputed." if data is HOLED else ", which give the mutual information. Tests and"
            assert any(line.startswith(f"Both are observed in {both:,} of 300 rows{how}") for line in said) == some
            assert data is HOLED or not any("mput" in line for line in (*said, result.completed.sentence))
            assert any("missingness depends only on observed cells" in line for line in said) == some
            if result.completed.adjacent is not None:
                k = round(10 * result.completed.adjacent[x, y])
                assert (f"This edge is in {k} of 10 networks learned for the imputation." in said) == some


def test_shares_follow_the_columns():
    """The reported networks and shares belong to the right variables in any order of the columns."""
    order = list(range(HOLED.p))[::-1]
    one, other = learn("ges", HOLED).completed, learn("ges", HOLED.reordered(order)).completed
    assert one.missing[order] == pytest.approx(other.missing)
    assert one.adjacent[order][:, order] == pytest.approx(other.adjacent)
