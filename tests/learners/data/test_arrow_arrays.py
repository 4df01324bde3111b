"""Tests that conversions between NumPy and pyarrow arrays equal pyarrow's own, which would load pandas."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from learners.data.arrow_arrays import EMPTY, NO_TEXT, ZERO, text_array, to_arrow, to_numbers, to_numpy


@pytest.mark.parametrize("texts", [[], [""], ["a", "", "ß€😀", " b\n"]])
def test_texts_are_those_of_pyarrow(texts):
    """Any list of texts, also an empty one, becomes the same array as in pyarrow."""
    assert text_array(texts).equals(pa.array(texts, pa.string()))
    text_array(texts).validate(full=True)


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 64, 65])
@pytest.mark.parametrize("dtype", [bool, np.uint8, np.uint16, np.int32, np.int64, np.float64])
def test_numbers_and_truth_values_are_those_of_pyarrow(length, dtype):
    """Arrays and slices that begin inside a byte are converted in both directions as in pyarrow."""
    values = np.random.default_rng(length).integers(0, 2, 2 * length)[::2].astype(dtype)  # not contiguous
    array = to_arrow(values)
    array.validate(full=True)
    assert array.equals(pa.array(values))
    for begin in (0, length // 2, length):
        found = to_numpy(array[begin:])
        assert found.dtype == dtype
        assert not found.flags.writeable
        assert found.tolist() == values[begin:].tolist()


def test_missing_numbers_are_nan():
    """A missing number is NaN; without missing numbers the array is not copied."""
    array = pa.array([None, 1.5, float("inf"), None, float("nan")])
    for part in (array, array[1:3], array[3:4], array[:0]):
        np.testing.assert_array_equal(to_numbers(part), part.to_numpy(zero_copy_only=False))


def test_the_constants_are_texts():
    """The constants are a missing text, an empty text and the text "0", and can be used in conditions."""
    assert [NO_TEXT.as_py(), EMPTY.as_py(), ZERO.as_py()] == [None, "", "0"]
    assert pc.if_else(to_arrow(np.array([True, False])), text_array(["a", "b"]), NO_TEXT).to_pylist() == ["a", None]
