"""Densities of residuals: normal, with heavy tails, without tails, or skewed."""

from __future__ import annotations

import math

import numpy as np

DEGREES = 4.0  # degrees of freedom of Student's t
SHAPE = 6.0  # exponent of the density without tails
ROUNDS = 20  # number of iterations for a scale
SMALLEST = 1e-12


def best_log_density(noise: np.ndarray) -> np.ndarray:
    """Return the log density of each value under the best of five fitted densities, (n,) float64.

    The densities are normal, Laplace, Student's t with 4 degrees of freedom, exp(-|x|^6) (nearly uniform) and Gumbel
    (skewed, to the side of the skewness). Location and scale are the maximum likelihood estimates, or nearly.

    Parameters
    ----------
    noise : (n,) float64 array
        Not constant.
    """
    densities = (_normal(noise), _laplace(noise), _student(noise), _tailless(noise), _gumbel(noise))
    return max(densities, key=lambda one: float(one.sum()))


def _normal(x: np.ndarray) -> np.ndarray:
    scale = max(float(x.std()), SMALLEST)
    return -0.5 * ((x - x.mean()) / scale) ** 2 - math.log(scale * math.sqrt(2.0 * math.pi))


def _laplace(x: np.ndarray) -> np.ndarray:
    distance = np.abs(x - np.median(x))
    scale = max(float(distance.mean()), SMALLEST)
    return -distance / scale - math.log(2.0 * scale)


def _student(x: np.ndarray) -> np.ndarray:
    """Return the log density of Student's t fitted by EM, in which outlying rows get small weights."""
    centre, square = float(np.median(x)), float(x.var()) / 2.0 + SMALLEST
    for _ in range(ROUNDS):
        weights = (DEGREES + 1.0) / (DEGREES + (x - centre) ** 2 / square)
        centre = float((weights * x).sum() / weights.sum())
        square = float((weights * (x - centre) ** 2).mean()) + SMALLEST
    constant = math.lgamma((DEGREES + 1.0) / 2.0) - math.lgamma(DEGREES / 2.0)
    constant -= 0.5 * math.log(DEGREES * math.pi * square)
    return constant - (DEGREES + 1.0) / 2.0 * np.log1p((x - centre) ** 2 / square / DEGREES)


def _tailless(x: np.ndarray) -> np.ndarray:
    power = np.abs(x - (x.max() + x.min()) / 2.0) ** SHAPE
    scale = max(float(SHAPE * power.mean()) ** (1.0 / SHAPE), SMALLEST)
    return -power / scale**SHAPE - math.log(2.0 * scale * math.gamma(1.0 + 1.0 / SHAPE))


def _gumbel(x: np.ndarray) -> np.ndarray:
    """Return the Gumbel log density; the scale is fitted by damped iterations of its likelihood equation."""
    sign = 1.0 if float(((x - x.mean()) ** 3).mean()) >= 0 else -1.0
    y = sign * (x - x.mean())
    low = float(y.min())
    scale = max(float(y.std()) * math.sqrt(6.0) / math.pi, SMALLEST)
    for _ in range(ROUNDS):
        weights = np.exp(-(y - low) / scale)
        scale = max((scale - float((y * weights).sum() / weights.sum())) / 2.0, SMALLEST)
    place = low - scale * math.log(float(np.exp(-(y - low) / scale).mean()))
    t = (y - place) / scale
    return -t - np.exp(-t) - math.log(scale)
