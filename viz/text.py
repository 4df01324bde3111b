"""Numbers and names as a reader wants them, and user text that can never be markup."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence

from learners.common.wording import count as count

ARROWS = {"undirected": "—", "forward": "→", "backward": "←", "none": "   "}
LN10 = math.log(10.0)
PROBABILITIES = ("posterior probability", "share of ")  # what the names of strengths in [0, 1] begin with
LOG_OF = "log10 of the "  # what the names of strengths that are logarithms begin with
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
# What is no character of one line: control characters, line breaks, and what turns the direction of reading.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")
# Streamlit makes addresses into links, and -> or :name: into symbols, even where each character is escaped.
_COMPOSED = re.compile(r"(?<=[:@])(?=\S)|(?<=www)(?=\.)|(?<=[-<>~])(?=[-=<>~])", re.I)
WORD_JOINER = "\u2060"  # of no width
LONGEST_NAME = 40
ROUNDING = 1e-12  # of a sum of probabilities
LONGEST_TITLE = 64  # of a table: the entries of a simulation fit


def one_line(text: str) -> str:
    """The text without line breaks, control characters and what turns the direction of reading."""
    return _CONTROL.sub(" ", text).strip()


def shorten(name: str, longest: int = LONGEST_NAME) -> str:
    """One line of at most `longest` characters, without its middle where it is longer.

    Questions of a survey begin alike and end in what they ask for.
    """
    line = one_line(name)
    if len(line) <= longest:
        return line
    end = 2 * (longest - 1) // 5
    return f"{line[: longest - 1 - end].rstrip()}…{line[len(line) - end :].lstrip()}"


def beginning_of(text: str, longest: int) -> str:
    """One line of at most `longest` characters, of a text that is read from its beginning on."""
    line = one_line(text)
    return line if len(line) <= longest else line[: longest - 1] + "…"


def distinct_labels(texts: Sequence[str], longest: int = LONGEST_NAME) -> list[str]:
    """Each text shortened; those that then read the same get a number, for widgets and axes merge equal labels."""
    labels: dict[str, int] = {}  # and how often each was asked for
    for text in texts:
        label = short = shorten(text, longest)
        while label in labels:
            labels[short] += 1
            label = f"{shorten(text, longest - 5)} ({labels[short]})"
        labels[label] = 1
    return list(labels)


def escape_markdown(text: str) -> str:
    """`text` such that Markdown shows exactly its characters, on one line."""
    return _PUNCTUATION.sub(r"\\\1", _COMPOSED.sub(WORD_JOINER, one_line(text)))


def as_sentence(text: str) -> str:
    """A message of the library with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


def format_p(log_p: float) -> str:
    """A p-value from its natural logarithm, also where it underflows: 0.042, 3.1e-9, 1.0e-512."""
    if math.isnan(log_p):
        return "–"
    if log_p == -math.inf:
        return "0"
    if log_p > math.log(1e-4):
        return f"{math.exp(log_p):.3g}"
    exponent = math.floor(log_p / LN10)
    digits = f"{10 ** (log_p / LN10 - exponent):.1f}"
    return f"{digits}e{exponent}" if digits != "10.0" else f"1.0e{exponent + 1}"


def format_setting(value: float) -> str:
    """A parameter's value, short: 0.05, 1e-6."""
    return re.sub(r"e([-+])0*", r"e\1", f"{value:g}")


def format_number(value: float) -> str:
    """A number with four significant digits, or to the unit where it has more before the point; a dash for none."""
    if math.isnan(value):
        return "–"
    return f"{value:,.0f}" if 9_999.5 <= abs(value) < 1e9 else f"{value:.4g}"


def format_probability(value: float) -> str:
    """A probability, or a share, with three digits of it or of what it lacks to 1: 0.25, 3.1e-9, 1 − 2e-7."""
    if math.isnan(value):
        return "–"
    if value == 0.0 or 1.0 - value < ROUNDING:
        return "0" if value == 0.0 else "1"
    if value > 0.999:
        return f"1\u00a0−\u00a0{format_p(math.log(1.0 - value))}".replace(".0e", "e")
    return format_p(math.log(value)).replace(".0e", "e")


def format_strength(label: str, value: float) -> str:
    """A strength with its name; of a logarithm of p the p itself: largest p 0.013."""
    if label.startswith(PROBABILITIES):
        return f"{label} {format_probability(value)}"
    if label.startswith(LOG_OF):
        return f"{label.removeprefix(LOG_OF)} {format_p(value * LN10)}"
    return f"{label} {format_number(value)}"


def format_limited(label: str, value: float, low: float, high: float) -> str:
    """A strength with its name and the limits of its confidence interval."""
    return f"{format_strength(label, value)} (95 %: {format_number(low)} to {format_number(high)})"


def format_share(value: float) -> str:
    """A share of something with two decimals; a dash where that is nothing."""
    return "–" if math.isnan(value) else f"{value:.2f}"


def format_seconds(seconds: float) -> str:
    """A duration: 12 ms, 3.4 s, 2 min 5 s."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"


def format_span(low: float, high: float) -> str:
    """From and to how many seconds, roughly: less than a second, up to 4 s, 2 to 30 s, 40 s to 5 min."""
    if high < 1:
        return "less than a second"
    most, unit = _rounded(high, math.ceil)
    if low < 1:
        return f"up to {most:,} {unit}"
    least, own_unit = _rounded(low, math.floor)
    return f"{least:,} {'' if own_unit == unit else f'{own_unit} '}to {most:,} {unit}"


def _rounded(seconds: float, towards: Callable[[float], int]) -> tuple[int, str]:
    """One digit of a duration of a second or more, and its unit."""
    size, unit = next((one for one in ((3600, "h"), (60, "min")) if seconds >= one[0]), (1, "s"))
    step = 10 ** math.floor(math.log10(seconds / size))
    return towards(seconds / size / step) * step, unit


def format_set(nodes: Iterable[int], names: Sequence[str]) -> str:
    """A conditioning set as {a, b}; {} if empty."""
    return "{" + ", ".join(shorten(names[k]) for k in nodes) + "}"
