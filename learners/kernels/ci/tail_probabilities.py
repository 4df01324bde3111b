"""Logarithms of tail probabilities that never underflow.

Relative accuracy is about 1e-11, also for ln p below -1e5, where ordinary tail functions return 0. Equation numbers are
those of Abramowitz and Stegun (1964), Handbook of mathematical functions.
"""

import math

import numpy as np

from ..compiling import kernel

MAX_TERMS = 100_000
MAX_SUM_DOF = 60  # the finite sum is fastest up to this number of degrees of freedom
TINY = 1e-300
MAX_DOF = 1e15  # degrees of freedom beyond which p rounds to 1, since G² stays below 2 n ln 65,535


@kernel
def log1p_minus(t):
    """Return ln(1 + t) - t for t > -1, without cancellation near 0."""
    if abs(t) > 0.4:
        return math.log1p(t) - t
    # ln(1 + t) = 2 atanh(t / (2 + t)); the linear term is taken out before summing.
    r = t / (2.0 + t)
    square = r * r
    power = r * square
    total = 0.0
    k = 3.0
    while abs(power) > 1e-20 * abs(total) and power != 0.0:
        total += power / k
        power *= square
        k += 2.0
    return 2.0 * total - r * t


@kernel
def stirling_error(a):
    """Return lnΓ(a) - [(a - 1/2) ln a - a + ln(2π)/2] for a >= 10, by the Stirling series."""
    inverse = 1.0 / a
    square = inverse * inverse
    return inverse * (
        1.0 / 12.0
        - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square * (1.0 / 1188.0))))
    )


@kernel
def log_gamma_density(a, x):
    """Return a ln x - x - lnΓ(a), the logarithm of x times the Gamma(a, 1) density at x > 0."""
    if a < 20.0:
        return a * math.log(x) - x - math.lgamma(a)
    t = (x - a) / a
    # Near t = -1 rounding would leave nothing of x in 1 + t.
    excess = log1p_minus(t) if t > -0.9 else math.log(x) - math.log(a) - t
    return a * excess + 0.5 * math.log(a / (2.0 * math.pi)) - stirling_error(a)


@kernel
def log_gamma_sf(a, x):
    """Return ln Q(a, x), the regularized upper incomplete gamma function, for a > 0 and x >= 0."""
    if x <= 0.0:
        return 0.0
    front = log_gamma_density(a, x)
    if x < a + 1.0:
        # Series for P = 1 - Q; Abramowitz and Stegun 6.5.29.
        term = 1.0 / a
        total = term
        for k in range(1, MAX_TERMS):
            term *= x / (a + k)
            total += term
            if term < 1e-17 * total:
                break
        return math.log1p(-min(math.exp(front) * total, 1.0 - 1e-16))
    # Continued fraction 6.5.31 by the modified Lentz method.
    b = x + 1.0 - a
    c = 1.0 / TINY
    d = 1.0 / b
    fraction = d
    for k in range(1, MAX_TERMS):
        step = -k * (k - a)
        b += 2.0
        d = step * d + b
        d = TINY if abs(d) < TINY else d
        c = b + step / c
        c = TINY if abs(c) < TINY else c
        d = 1.0 / d
        factor = d * c
        fraction *= factor
        if abs(factor - 1.0) < 1e-16:
            break
    return front + math.log(fraction)


@kernel
def log_erfc(t):
    """Return ln erfc(t) for t >= 0."""
    if t < 0.5:
        return math.log1p(-math.erf(t))  # p near 1: the logarithm must not lose its digits
    if t < 25.0:
        return math.log(math.erfc(t))
    # Asymptotic series, Abramowitz and Stegun 7.1.23; the next term is below 1e-12 here.
    u = 0.5 / (t * t)
    return -t * t - math.log(t * math.sqrt(math.pi)) + math.log1p(-u * (1.0 - u * (3.0 - u * (15.0 - 105.0 * u))))


@kernel
def log_whole_gamma_sf(steps, odd, x):
    """Return ln Q(a, x) for a = steps, or steps + 1/2 if `odd`, by its finite sum.

    Equations 6.5.12 and 26.4.4.

    The sum starts at its largest term. All terms are positive, so no digits are lost where Q is well below 1, for x >
    a.
    """
    log_rest = log_erfc(math.sqrt(x)) if odd else -np.inf
    if steps == 0:
        return log_rest
    top = steps - 0.5 if odd else steps - 1.0  # exponent of the largest term, x^top / Γ(top + 1)
    inverse = 1.0 / x
    below = 1.0
    for k in range(1, steps):
        below = 1.0 + below * (top - steps + 1 + k) * inverse
    log_sum = top * math.log(x) - x - math.lgamma(top + 1.0) + math.log(below)
    high, low = max(log_sum, log_rest), min(log_sum, log_rest)
    return high + math.log1p(math.exp(low - high))


@kernel
def log_chi2_sf(statistic, dof):
    """Return ln P(χ²_dof >= statistic); 0 for dof = 0, where the statistic is a rounding residue."""
    if dof <= 0.0 or dof > MAX_DOF:
        return 0.0
    a, x = 0.5 * dof, 0.5 * statistic
    if dof <= MAX_SUM_DOF and x > a + 1.0:
        whole = int(dof)
        if whole == dof:
            return log_whole_gamma_sf(whole // 2, whole % 2 == 1, x)
    return log_gamma_sf(a, x)


@kernel
def log_normal_two_sided(z):
    """Return the logarithm of the two-sided tail 2Φ(-|z|) of the standard normal distribution."""
    return log_erfc(abs(z) * math.sqrt(0.5))


@kernel
def log_normal_sf(z):
    """Return the logarithm of the upper tail 1 - Φ(z) of the standard normal distribution."""
    if z >= 0.0:
        return log_erfc(z * math.sqrt(0.5)) - math.log(2.0)
    return math.log1p(-0.5 * math.erfc(-z * math.sqrt(0.5)))
