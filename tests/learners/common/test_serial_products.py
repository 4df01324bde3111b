"""Tests of products of matrices with many rows, which BLAS computes in one thread."""

from __future__ import annotations

import numpy as np
import pytest

from learners.common.serial_products import MAX_MULTIPLICATIONS, MAX_VECTOR_CELLS, products_of, residuals_of

SHAPES = [(50_000, 3, 20), (4_096, 20, 20), (30_001, 1, 1), (9_000, 4, 1), (700, 60, 60), (90, 300, 2), (5, 1, 1)]


class Recorded(np.ndarray):
    """An array that records the shapes that it multiplies."""

    shapes: list[tuple[int, int, int]] = []  # noqa: RUF012  (shared by all views)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        """Record the rows, inner size and columns of each product."""
        inputs = [np.asarray(one) for one in inputs]
        if ufunc is np.matmul:
            self.shapes.append((inputs[0].shape[-2], inputs[0].shape[-1], inputs[1].shape[-1]))
        options = {name: tuple(map(np.asarray, one)) if name == "out" else one for name, one in options.items()}
        found = getattr(ufunc, method)(*inputs, **options)
        return found.view(Recorded) if isinstance(found, np.ndarray) else found


def matrices(n: int, k: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a matrix of k columns and one of m columns, with n rows each."""
    random = np.random.default_rng(9)
    return random.normal(size=(n, k)), random.normal(size=(n, m))


@pytest.mark.parametrize("shape", [*SHAPES, (600, 0, 0)])
def test_products_of_blocks_add_up_to_the_product_of_all_rows(shape):
    """Products of blocks of rows add up to the product of all rows, also if the last block is shorter."""
    left, right = matrices(*shape)
    np.testing.assert_allclose(products_of(left, right), left.T @ right, rtol=1e-12, atol=1e-10)
    np.testing.assert_allclose(products_of(left, left), left.T @ left, rtol=1e-12, atol=1e-10)


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape[0] >= shape[1]])
def test_residuals_of_blocks_are_those_of_all_rows(shape):
    """Residuals computed in blocks of rows equal those of all rows, of one column and of several."""
    left, right = matrices(*shape)
    basis = np.linalg.qr(left)[0]
    for columns in (right, right[:, 0]):
        expected = columns - basis @ (basis.T @ columns)
        np.testing.assert_allclose(residuals_of(columns, basis), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("n", "k", "m"), [(50_000, 3, 20), (50_000, 3, 1), (50_000, 1, 20), (50_000, 40, 40)])
def test_no_product_of_many_rows_is_large_enough_for_threads(n, k, m):
    """All products of blocks are so small that BLAS starts no threads for them."""
    left, right = (part.view(Recorded) for part in matrices(n, k, m))
    Recorded.shapes.clear()
    products_of(left, right)
    residuals_of(right, left)
    residuals_of(right[:, 0], left)
    assert Recorded.shapes
    for rows, inner, columns in Recorded.shapes:
        size = rows * inner * columns
        assert size <= (MAX_VECTOR_CELLS if min(rows, inner, columns) == 1 else MAX_MULTIPLICATIONS)
