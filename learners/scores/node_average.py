"""What a free parameter costs where cells are missing."""

from __future__ import annotations

import math

FACTOR, POWER = 0.25, 0.35


def price_of_parameter(n: int, *, complete: bool) -> float:
    """Nats for a free parameter: ½ ln n of BIC for complete data, else n λ_n with λ_n = c n^(-a).

    Notes
    -----
    Each family is scored on its own rows, so that chance alone makes wider families look better by about 1 / √n a row;
    BIC's λ_n = ½ ln n / n falls faster than that and would not undo it [1]_. c and a were chosen by the F1 of skeletons
    of hill climbing (`python -m benchmarks.node_average`). With 5 % of the cells missing the best price was 5, 8 and 12
    times ½ ln n at 500, 2 000 and 8 000 rows; with 20 %, 12, 20 and 30 times. This one is 4.6, 9.2 and 19 times.

    References
    ----------
    .. [1] Balov (2013), Consistent model selection of discrete Bayesian networks from incomplete data, Electronic
       Journal of Statistics 7; Bodewes and Scutari (2021), Learning Bayesian networks from incomplete data with the
       node-average likelihood, International Journal of Approximate Reasoning 138.
    """
    least = 0.5 * math.log(max(n, 1))
    return least if complete else max(least, FACTOR * n ** (1.0 - POWER))
