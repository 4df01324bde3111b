"""How sure a share of a few draws is."""

from __future__ import annotations

import numpy as np

Z = 1.959963984540054  # of 95 %


def wilson(share: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Limits of the 95 % interval of a share of n draws.

    Parameters
    ----------
    share : float array
        In [0, 1]; NaN stays NaN. A mean of n numbers in [0, 1] will do: its interval is then no wider than this one.
    n : int
        At least 1.

    References
    ----------
    Wilson (1927), Probable inference, the law of succession, and statistical inference. Journal of the American
    Statistical Association 22.

    Examples
    --------
    >>> low, high = wilson(np.array([0.0, 0.5, 1.0]), 50)
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.0, 0.37, 0.93], [0.07, 0.63, 1.0])
    """
    centre = share + Z * Z / (2 * n)
    half = Z * np.sqrt(np.maximum(share * (1 - share), 0.0) / n + Z * Z / (4 * n * n))
    scale = 1 + Z * Z / n
    return np.clip((centre - half) / scale, 0.0, share), np.clip((centre + half) / scale, share, 1.0)
