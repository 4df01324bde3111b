"""Identical rows of codes, found so that each is stored once."""

from __future__ import annotations

import numpy as np

from ..kernels.scores.configurations import label_rows
from .columns import read_only

SAMPLE_ROWS = 1_024  # rows looked at before merging
MOST_SAMPLED = 0.75  # share of distinct ones among them beyond which merging is not tried


def distinct_rows(codes: np.ndarray, states: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Where each different row first stands, in order of appearance, and the sum of the weights of all like it.

    Parameters
    ----------
    codes : (p, n) unsigned array
    states : (p,) int64 array
        How many codes each variable has.
    weights : (n,) int64 array, or None
    """
    label = np.empty(codes.shape[1], dtype=np.int64)
    q = label_rows(codes, states, np.arange(len(codes)), label)
    first = np.empty(q, dtype=np.int64)
    first[label[::-1]] = np.arange(codes.shape[1])[::-1]
    return first, np.bincount(label, weights=weights, minlength=q)[:q]


def mostly_distinct(codes: np.ndarray, states: np.ndarray) -> bool:
    """Whether most rows of a sample differ, or rows are too few to be worth merging."""
    if codes.shape[1] < 2 * SAMPLE_ROWS:
        return True
    sample = read_only(codes[:, :: codes.shape[1] // SAMPLE_ROWS], codes.dtype)
    label = np.empty(sample.shape[1], dtype=np.int64)
    return label_rows(sample, states, np.arange(len(codes)), label) > MOST_SAMPLED * sample.shape[1]
