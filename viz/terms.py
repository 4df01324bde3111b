"""Terms of the field in a sentence: each tells its meaning on hover and to screen readers, and leads to its lesson."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .glossary import GLOSSARY
from .glossary_de import GLOSSARY_DE
from .text import escape_markdown

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch"}
GLOSSARIES: Mapping[str, Mapping[str, str]] = {"en": GLOSSARY, "de": GLOSSARY_DE}
LESSONS: Mapping[str, str] = {
    "alpha": "07-alpha",
    "awareness": "11-lmm",
    "bootstrap": "14-how-sure",
    "CD": "11-lmm",
    "compelled edge": "05-equivalence-classes",
    "conditioning set": "03-pc-by-hand",
    "CPPD": "11-lmm",
    "CPDAG": "05-equivalence-classes",
    "d-separation": "01-d-separation",
    "DAG": "05-equivalence-classes",
    "degenerate Gaussian test": "15-holes-and-bins",
    "false discovery": "13-information-thresholds",
    "generative tree": "14-how-sure",
    "level": "03-pc-by-hand",
    "Meek's rules": "04-colliders-and-meek",
    "p-value": "07-alpha",
    "posterior probability": "14-how-sure",
    "sepset": "03-pc-by-hand",
    "SHD": "06-more-data",
    "skeleton": "03-pc-by-hand",
    "solution path": "12-path",
    "v-structure": "04-colliders-and-meek",
    "Φ": "12-path",
}
_TERMS = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, sorted(GLOSSARY, key=len, reverse=True)))})(s?)(?![\w-])")


def with_terms(sentence: str, language: str = "en") -> str:
    """A plain sentence as Markdown, in which the first mention of each term is linked and explained."""
    parts, seen, end = [], set(), 0
    for found in _TERMS.finditer(sentence):
        if found[1] in seen:
            continue
        seen.add(found[1])
        parts += [_escaped(sentence[end : found.start()]), link(found[1], found[0], language)]
        end = found.end()
    return "".join([*parts, _escaped(sentence[end:])])


def _escaped(text: str) -> str:
    """`escape_markdown` that keeps the spaces at both ends, which stand beside a link."""
    inner = text.strip(" ")
    lead = text[: len(text) - len(text.lstrip(" "))]
    return f"{lead}{escape_markdown(inner)}{text[len(lead) + len(inner) :]}"


def link(term: str, shown: str, language: str = "en") -> str:
    """The term as a Markdown link with its meaning as title."""
    where = f"lessons?lesson={LESSONS[term]}" if term in LESSONS else "learn_more"
    return f'[{escape_markdown(shown)}]({where} "{GLOSSARIES[language][term]}")'
