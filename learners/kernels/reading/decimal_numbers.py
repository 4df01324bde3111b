"""Read decimal numbers from bytes, correctly rounded to float64.

A number w 10^q with integers w and q is first tried exactly: w and 10^|q| are floats if they are small, and one
operation rounds once. Otherwise w is multiplied by the leading 128 bits of 10^q (Lemire 2021, "Number parsing at a
gigabyte per second", algorithm 1; that it never fails for w < 2^64: Mushtak and Lemire 2023, "Fast number parsing
without fallback").
"""

import numpy as np

from ..compiling import kernel
from ..counting.popcount import popcount

MINUS, ZERO, NINE, UPPER_E, LOWER_E, PLUS = 45, 48, 57, 69, 101, 43
MAX_DIGITS_SO_FAR = 90_000_000_000_000_000  # largest integer that stays below 2^63 with one more digit
TENS = tuple(10**k for k in range(9))
SMALL_INTEGERS = tuple(10 ** (18 - k) for k in range(9))  # an integer below entry k stays below 2^63 with k more digits
MAX_EXACT = 10**12  # larger integers are rarely exact floats, and a check of each would be slow
MAX_EXACT_POWER = 22  # 10^22 is a float, and 10^23 is not
MIN_POWER, MAX_POWER = -300, 290  # powers of ten in the table; the result is then no subnormal and not infinite
MAX_EXPONENT = 9_999
ONE, TWO, THREE, NINE_BITS = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(511)
HALF, LOW_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)
ZEROS, SIXES = np.uint64(0x3030303030303030), np.uint64(0x0606060606060606)  # repeated in each byte
UPPER_HALVES, LOWER_HALVES = np.uint64(0xF0F0F0F0F0F0F0F0), np.uint64(0x0F0F0F0F0F0F0F0F)
BYTES, PAIRS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
TOP = np.uint64(63)
TO_MANTISSA = np.uint64(9)  # 64 bits, less 52 of the mantissa and 3 below it
HIDDEN_BIT, NEXT_BIT = np.uint64(1 << 52), np.uint64(1 << 53)
MANTISSA_BITS, BIAS = np.uint64(52), 1_023
LOG2_10_SHIFTED = 217_706  # floor(q log2(10)) = q * this >> 16 in the range of the table


@kernel
def read_number(text, words, at, mark, powers, found, bits):
    """Read a number, and return the position behind it; -1 if there is none that this kernel can round.

    The text before the first byte that cannot continue the number is read; the text must end with some other byte.

    Parameters
    ----------
    text : uint8 array
    words : uint64 array
        The eight bytes of the text from each position on, the first one lowest.
    at : int
        Position of the first byte.
    mark : int
        Decimal mark, a byte.
    powers : (591, 2) uint64 array
        Leading 128 bits of the powers of ten from `MIN_POWER` to `MAX_POWER`, the upper half first.
    found : (1,) float64 array
        Overwritten with the number.
    bits : (1,) uint64 array
        The same memory as `found`.
    """
    sign = np.int64(text[at] == MINUS)
    at += sign
    begin, digits, power = at, 0, 0
    while ZERO <= text[at] <= NINE:
        if digits >= MAX_DIGITS_SO_FAR:
            return -1
        digits = digits * 10 + (np.int64(text[at]) - ZERO)
        at += 1
    n_digits = at - begin
    if text[at] == mark:
        at += 1
        begin = at
        while at < words.shape[0] and are_digits(words[at]):
            if digits >= SMALL_INTEGERS[8]:
                return -1
            digits = digits * TENS[8] + np.int64(eight_digits(words[at] ^ ZEROS))
            at += 8
        if at < words.shape[0]:
            n = digits_before(words[at])
            if digits >= SMALL_INTEGERS[n]:
                return -1
            rest = (words[at] ^ ZEROS) << np.uint64(56 - 8 * n) << np.uint64(8)
            digits = digits * TENS[n] + np.int64(eight_digits(rest))
            at += n
        else:
            while ZERO <= text[at] <= NINE:
                if digits >= MAX_DIGITS_SO_FAR:
                    return -1
                digits = digits * 10 + (np.int64(text[at]) - ZERO)
                at += 1
        n_digits += at - begin
        power = begin - at
    if n_digits == 0:
        return -1
    if text[at] == LOWER_E or text[at] == UPPER_E:
        at += 1
        below = text[at] == MINUS
        if below or text[at] == PLUS:
            at += 1
        begin, exponent = at, 0
        while ZERO <= text[at] <= NINE:
            if exponent > MAX_EXPONENT:
                return -1
            exponent = exponent * 10 + (np.int64(text[at]) - ZERO)
            at += 1
        if at == begin:
            return -1
        power += -exponent if below else exponent
    if digits == 0:
        found[0] = 0.0
    elif digits <= MAX_EXACT and -MAX_EXACT_POWER <= power <= MAX_EXACT_POWER:
        found[0] = exact_product(digits, power)
    elif MIN_POWER <= power <= MAX_POWER:
        found[0] = digits
        bits[0] = rounded_product(digits, bits[0] >> MANTISSA_BITS, power, powers)
    else:
        return -1
    bits[0] |= np.uint64(sign) << TOP
    return at


@kernel
def are_digits(word):
    """Return True if all eight bytes are digits."""
    values = word ^ ZEROS
    return not values & UPPER_HALVES and not (values + SIXES) & UPPER_HALVES


@kernel
def digits_before(word):
    """Return the number of digits before the first byte that is not a digit; the word must have such a byte."""
    values = word ^ ZEROS
    others = (values | ((values & LOWER_HALVES) + SIXES)) & UPPER_HALVES
    return np.int64(popcount(others ^ (others - ONE))) - 1 >> 3


@kernel
def eight_digits(values):
    """Return the number of eight decimal digits, one a byte, the first of which is the lowest byte."""
    pairs = (values & BYTES) * np.uint64(10) + (values >> np.uint64(8) & BYTES)
    fours = (pairs & PAIRS) * np.uint64(100) + (pairs >> np.uint64(16) & PAIRS)
    return (fours & LOW_HALF) * np.uint64(10_000) + (fours >> HALF)


@kernel
def exact_product(digits, power):
    """Return digits * 10^power, both factors of which are floats."""
    scale, base, left = 1.0, 10.0, abs(power)
    while left:
        if left & 1:
            scale *= base
        base *= base
        left >>= 1
    return digits / scale if power < 0 else digits * scale


@kernel
def rounded_product(digits, exponent, power, powers):
    """Return the bits of the float nearest to digits * 10^power, ties to even; see `read_number`.

    Parameters
    ----------
    digits : int
    exponent : uint64
        Exponent of `digits` as a float, as it is stored; one too large if they were rounded up to a power of two.
    power : int
    powers : uint64 array
        As in `read_number`.
    """
    shift = 63 + BIAS - np.int64(exponent)
    factor = np.uint64(digits) << np.uint64(shift)
    if not factor >> TOP:
        factor <<= ONE
        shift += 1
    upper, lower = powers[power - MIN_POWER, 0], powers[power - MIN_POWER, 1]
    high, low = product(factor, upper)
    if high & NINE_BITS == NINE_BITS:  # a carry from the lower half may change the bits that are kept
        more = product(factor, lower)[0]
        carries = low > ~more
        low = low - ~more - ONE if carries else low + more
        if carries:
            high += ONE
    top = high >> TOP
    cut = top + TO_MANTISSA
    mantissa = high >> cut
    binary = (LOG2_10_SHIFTED * power >> 16) + 63 + np.int64(top) - shift + BIAS
    if low <= ONE and -4 <= power <= 23 and mantissa & THREE == ONE and mantissa << cut == high:
        mantissa -= ONE  # exactly halfway between two floats, the lower of which is even
    mantissa = (mantissa + (mantissa & ONE)) >> ONE
    if mantissa >= NEXT_BIT:
        mantissa = HIDDEN_BIT
        binary += 1
    return (np.uint64(binary) << MANTISSA_BITS) | (mantissa - HIDDEN_BIT)


@kernel
def product(a, b):
    """Return the upper and the lower 64 bits of the product of two unsigned integers."""
    upper_a, lower_a, upper_b, lower_b = a >> HALF, a & LOW_HALF, b >> HALF, b & LOW_HALF
    lowest, one, other = lower_a * lower_b, lower_a * upper_b, upper_a * lower_b
    middle = (lowest >> HALF) + (one & LOW_HALF) + (other & LOW_HALF)
    high = upper_a * upper_b + (one >> HALF) + (other >> HALF) + (middle >> HALF)
    return high, (middle << HALF) | (lowest & LOW_HALF)
