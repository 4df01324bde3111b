"""Tests of conditional independence, each bound to its data.

`CITest.test` does one test; `CITest.separate` searches conditioning sets of many pairs. A compiled test runs both in
the kernels of `kernels.ci` that bear its name.
"""

from ..common.lazy_imports import attach

__all__, __getattr__, __dir__ = attach(__name__, __file__)
