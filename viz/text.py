"""Names and numbers as text, and escaping of user text."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from types import NoneType
from typing import Any

from learners.common.sentences import Capitalized, Catalog, Count, Number, Phrase, Sentence, phrase, say
from learners.common.wording import ARROWS as ARROWS
from learners.common.wording import LN10 as LN10
from learners.common.wording import count as count
from learners.common.wording import format_number as format_number
from learners.common.wording import format_p as format_p
from learners.common.wording import format_percent as format_percent
from learners.common.wording import format_probability as format_probability
from learners.common.wording import format_set as format_set
from learners.common.wording import format_signed as format_signed
from learners.common.wording import format_value as format_value
from learners.common.wording import one_line as one_line
from learners.common.wording import shorten as shorten
from learners.common.wording import with_minus as with_minus

PROBABILITIES = ("posterior probability", "share of ")  # first words of the names of strengths in [0, 1]
LOG_OF = "log10 of the "  # first words of the names of strengths that are logarithms
# All ASCII punctuation but an underscore between letters or digits, which is never markup. Labels are read to users of
# screen readers with their backslashes.
_PUNCTUATION = re.compile(r"((?!(?<=[^\W_])_(?=[^\W_]))[!-/:-@\[-`{-~])")
# Streamlit turns addresses into links, and -> or :name: into symbols, even if each character is escaped.
_COMPOSED = re.compile(r"(?<=[:@])(?=\S)|(?<=www)(?=\.)|(?<=[-<>~])(?=[-=<>~])", re.I)
_WORDS, _GAPS = re.compile(r"[^\s_./:-]+[\s_./:-]*|[\s_./:-]+"), " _./:-"
ALIKE = 3  # number of equal first or last characters of names that begin or end alike
WORD_JOINER = "\u2060"  # zero-width character
MAX_NAME_LENGTH = 40
MAX_DIGITS = 7  # maximum number of significant digits of compared numbers
MAX_TITLE_LENGTH = 64  # maximum number of characters of the title of a table; enough for simulated tables


def beginning_of(text: str, longest: int) -> str:
    """Return the beginning of a text as one line of at most `longest` characters."""
    line = one_line(text)
    return line if len(line) <= longest else line[: longest - 1] + "…"


def short_names(names: Sequence[str], longest: int) -> list[str]:
    """Shorten each name; names that begin or end alike keep their rarest words, as in `graph_view/numbers.js`."""
    lines = [one_line(name) for name in names]
    words = [_WORDS.findall(line) for line in lines]
    known = Counter(word for own in words for word in {word.rstrip(_GAPS) for word in own})
    heads = Counter(line[:ALIKE] for line in lines if len(line) > longest)
    tails = Counter(line[-ALIKE:] for line in lines if len(line) > longest)

    def label(line: str, own: Sequence[str]) -> str:
        alike = len(line) > longest and (heads[line[:ALIKE]] > 1 or tails[line[-ALIKE:]] > 1)
        return _rare_words(own, longest, known) if alike else shorten(line, longest)

    labels = list(map(label, lines, words))
    equal: dict[str, list[int]] = {}
    for k, text in enumerate(labels):
        equal.setdefault(text, []).append(k)
    for group in equal.values():
        for k, text in zip(group, _differences([lines[k] for k in group], longest), strict=True):
            labels[k] = text if len(group) > 1 else labels[k]
    return labels


def _differences(lines: Sequence[str], longest: int) -> list[str]:
    """Return the part in which the lines differ, with as much around it as fits."""
    least = min(map(len, lines))
    start = next((k for k in range(least) if len({line[k] for line in lines}) > 1), least)
    end = next((k for k in range(least - start) if len({line[-1 - k] for line in lines}) > 1), least - start)
    labels = []
    for line in lines:
        stop = len(line) - end
        room = longest - 2 - (stop - start)
        if room < 0:
            labels.append(shorten(line[start:stop], longest))
            continue
        before = min(start, max(room // 2, room - end))
        after = min(end, room - before)
        text = line[start - before : stop + after].strip()
        labels.append(f"{'…' * (before < start)}{text}{'…' * (after < end)}")
    return labels


def _rare_words(words: Sequence[str], longest: int, known: Mapping[str, int]) -> str:
    """Return the rarest words of a name in their order, with … in place of the others."""

    def text(kept: set[int]) -> str:
        return re.sub(
            r"[\s_./:-]*\0+", "…", "".join(word if k in kept else "\0" for k, word in enumerate(words))
        ).strip()

    kept: set[int] = set()
    best = ""
    for k in sorted(range(len(words)), key=lambda k: (known[words[k].rstrip(_GAPS)], k)):
        tried = text(kept | {k})
        if len(tried) > longest:
            return best or shorten(tried, longest)
        kept.add(k)
        best = tried
    return best


def distinct_labels(texts: Sequence[str], longest: int = MAX_NAME_LENGTH) -> list[str]:
    """Shorten each text and number equal results, because widgets and axes merge equal labels."""
    labels: dict[str, int] = {}  # each label with the number of texts that it shortens
    for text in texts:
        label = short = shorten(text, longest)
        while label in labels:
            labels[short] += 1
            label = f"{shorten(text, longest - 5)} ({labels[short]})"
        labels[label] = 1
    return list(labels)


def escape_markdown(text: str) -> str:
    """Escape a text so that Markdown shows exactly its characters, on one line."""
    return _PUNCTUATION.sub(r"\\\1", _COMPOSED.sub(WORD_JOINER, one_line(text)))


def as_sentence(text: str) -> str:
    """Capitalize a message of the library and end it with a full stop, unless it ends with one or a question mark."""
    if isinstance(text, Phrase):
        template = "{clause}" if text.endswith((".", "?")) else "{clause}."
        return phrase(template, text.names, clause=Capitalized(text.sentence))
    sentence = text[:1].upper() + text[1:]
    return sentence if sentence.endswith((".", "?")) else f"{sentence}."


def strength_clause(label: str, value: float) -> Sentence:
    """Return a strength with its name, such as "largest p 0.013"; a logarithm of p is converted to p."""
    if label.startswith(PROBABILITIES):
        return say("{label} {value}", label=say(label), value=format_probability(value))
    if label.startswith(LOG_OF):
        return say("{label} {value}", label=say(label.removeprefix(LOG_OF)), value=format_p(value * LN10))
    return say("{label} {value}", label=say(label), value=Number(value))


def limited_clause(label: str, value: float, low: float, high: float) -> Sentence:
    """Return a strength with its name and its confidence limits."""
    interval = say("95% interval: {low} to {high}", low=Number(low), high=Number(high))
    return say("{strength} ({interval})", strength=strength_clause(label, value), interval=interval)


def format_share(value: float) -> str:
    """Format a share with two decimals; only exactly 0 and 1 are shown as such; NaN becomes a dash."""
    if math.isnan(value):
        return "–"
    if 0.0 < value < 0.005:
        return "<\u00a00.01"
    return ">\u00a00.99" if 0.995 < value < 1.0 else f"{value:.2f}"


def with_relation(number: str) -> str:
    """Return a formatted probability after its relation: = 0.25, > 0.999."""
    return number if number.startswith((">", "<")) else f"= {number}"


def decimals_apart(values: Iterable[float]) -> int | None:
    """Return the number of decimals that shows two digits of the smallest difference between numbers.

    None if three significant digits show them, or all numbers are equal. Differences beyond the seventh significant
    digit do not count.
    """
    finite = [value for value in values if math.isfinite(value)]
    largest = max(map(abs, finite), default=0.0)
    if not largest:
        return None
    first = math.floor(math.log10(largest))  # place of the first digit
    unit = 10.0 ** (first - MAX_DIGITS + 1)
    if not unit:
        return None  # too near zero for seven digits
    rounded = sorted({round(value / unit) for value in finite})
    gaps = [b - a for a, b in pairwise(rounded)]
    if not gaps:
        return None
    decimals = max(0, min(1 - math.floor(math.log10(min(gaps) * unit) + 1e-9), MAX_DIGITS - 1 - first))
    return decimals if decimals > 2 - first else None


def format_seconds(seconds: float) -> str:
    """Format a duration: 12 ms, 3.4 s, 2 min 5 s."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"


def format_span(low: float, high: float) -> str:
    """Format a range of seconds roughly: less than a second, up to 4 s, 2 to 30 s, 40 s to 5 min."""
    if high < 1:
        return "less than a second"
    most, unit = _rounded(high, math.ceil)
    if low < 1:
        return f"up to {most:,} {unit}"
    least, own_unit = _rounded(low, math.floor)
    return f"{least:,} {'' if own_unit == unit else f'{own_unit} '}to {most:,} {unit}"


def _rounded(seconds: float, towards: Callable[[float], int]) -> tuple[int, str]:
    """Return one digit of a duration of a second or more, and its unit."""
    size, unit = next((one for one in ((3600, "h"), (60, "min")) if seconds >= one[0]), (1, "s"))
    step = 10 ** math.floor(math.log10(seconds / size))
    return towards(seconds / size / step) * step, unit


def edges(n: int) -> Count:
    """Return a number of edges as a value."""
    return Count(n, "edge")


def in_language(data: Any, catalog: Catalog) -> Any:
    """Return data with all phrases in its mappings and lists written in the language of a catalog."""
    if not catalog:
        return data
    if isinstance(data, Phrase):
        return data.written(catalog)
    if isinstance(data, Mapping):
        return {key: in_language(value, catalog) for key, value in data.items()}
    if isinstance(data, list | tuple) and not (data and isinstance(data[0], int | float | NoneType)):
        return [in_language(value, catalog) for value in data]
    return data  # lists that begin with a number, such as spans, contain no phrases
