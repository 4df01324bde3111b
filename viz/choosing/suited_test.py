"""The table of independence tests compared on permuted columns."""

from __future__ import annotations

import pandas as pd

from learners.choosing.suited_test import SuitedTest

FALSE, FOUND, KEEPS = "of independent pairs", "of the pairs", "keeps its level"
EXPLAINED = {
    FALSE: "Share of pairs made independent by permuting one column that the test finds dependent. It should be alpha.",
    FOUND: "Share of the same pairs, unpermuted, that the test finds dependent.",
    KEEPS: "Yes if the share of independent pairs exceeds alpha by at most two standard errors.",
}


def suited_test_table(found: SuitedTest) -> pd.DataFrame:
    """Return one row per test, with shares in percent."""
    return pd.DataFrame(
        {
            "test": [one.label for one in found.tests],
            FALSE: [100.0 * one.false_share for one in found.tests],
            FOUND: [100.0 * one.found_share for one in found.tests],
            KEEPS: ["yes" if one.keeps_level else "no" for one in found.tests],
        }
    )
