"""Units of variables in labels and sentences."""

import numpy as np
import pytest

from learners.data.plan.scales import Scale
from viz.labels import MAX_UNITS, units_sentence, with_unit, without_value

RANKED = Scale("", lambda: (np.arange(2.0), np.arange(2.0)))
DAYS = Scale("days since 1 May")


def test_units_are_listed_in_order():
    """Units keep the order of the variables, and a long list is cut."""
    scales = {"when": DAYS, "pay": RANKED}
    text = units_sentence(["pay", "a", "when"], scales)
    assert text == "Units: pay: normal score; when: days since 1 May."
    assert units_sentence(["a"], scales) == ""
    many = {f"v{k}": RANKED for k in range(MAX_UNITS + 3)}
    assert units_sentence(many, many).endswith("v11: normal score; and 3 more.")
    assert (with_unit("pay", scales), with_unit("a", scales)) == ("pay (normal score)", "a")


@pytest.mark.parametrize(
    ("value", "source", "rest"),
    [
        ("4", "4 in Mahdi and Mezey (2013)", "Mahdi and Mezey (2013)"),
        ("product", "product: equation 4; minimum: LMM-2", "equation 4; minimum: LMM-2"),
    ],
)
def test_a_source_does_not_repeat_the_default(value, source, rest):
    assert without_value(value, source) == rest
