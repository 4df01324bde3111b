"""Products of matrices with many rows, computed in one thread.

BLAS computes small products in one thread. For larger ones, it starts a thread on each core, and these wait longer than
they work: with other work on the cores, a product takes several times its CPU seconds. So rows are taken in blocks.
"""

from __future__ import annotations

import numpy as np

MAX_MULTIPLICATIONS = 1 << 18  # maximum number of multiplications of a product that BLAS computes in one thread
MAX_VECTOR_CELLS = 9 << 10  # maximum size of a matrix that BLAS multiplies with a vector in one thread
MIN_BLOCK_ROWS = 64  # minimum number of rows of a block; with fewer, the calls take longer than the work


def products_of(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return ``left.T @ right`` as a sum over blocks of rows.

    Parameters
    ----------
    left : (n, k) float array
    right : (n, m) float array

    Returns
    -------
    (k, m) array
    """
    n, rows = len(left), _rows_of_block(left.shape[1], right.shape[1])
    if not MIN_BLOCK_ROWS <= rows < n:
        return left.T @ right
    end = n - n % rows
    blocks = [part[:end].reshape(-1, rows, part.shape[1]) for part in (left, right)]
    return np.matmul(blocks[0].transpose(0, 2, 1), blocks[1]).sum(axis=0) + left[end:].T @ right[end:]


def residuals_of(columns: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """Return columns less their projection on an orthonormal basis, ``columns - basis @ (basis.T @ columns)``.

    Parameters
    ----------
    columns : (n,) or (n, m) float array
    basis : (n, k) float array

    Returns
    -------
    array of the shape of `columns`
    """
    if columns.ndim == 1:
        return residuals_of(columns[:, None], basis)[:, 0]
    n, rows = len(columns), _rows_of_block(basis.shape[1], columns.shape[1])
    weights = products_of(basis, columns)
    if not MIN_BLOCK_ROWS <= rows < n:
        return columns - basis @ weights
    found = np.empty_like(columns, order="C")
    for at in range(0, n, rows):
        block = slice(at, at + rows)
        np.subtract(columns[block], basis[block] @ weights, out=found[block])
    return found


def _rows_of_block(k: int, m: int) -> int:
    """Return the number of rows of a block for matrices of k and m columns."""
    most = MAX_MULTIPLICATIONS if min(k, m) > 1 else MAX_VECTOR_CELLS
    return most // max(k * m, 1)
