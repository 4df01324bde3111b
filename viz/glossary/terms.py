"""Terms in sentences: each is linked to its lesson, with its definition as tooltip and for screen readers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from ..text import escape_markdown
from .definitions_de import GLOSSARY_DE
from .definitions_en import GLOSSARY

GLOSSARIES: Mapping[str, Mapping[str, str]] = {
    "en": GLOSSARY,
    "de": {term: f"{word}: {meaning}" if word != term else meaning for term, (word, meaning) in GLOSSARY_DE.items()},
}
# Other names of terms on screen.
ALIASES: Mapping[str, str] = {
    "aware": "awareness",
    "impute": "imputation",
    "imputed": "imputation",
    "resample": "bootstrap",
    "significance level": "alpha",
}
# Groups of words that contain the name of a term, but do not mean it.
OTHER_MEANINGS = ("water level", "sea level", "noise level", "supply chain", "chain store", "prior year")
# Beginnings of the sentences of a definition that give another meaning, which lessons leave out.
OTHER_SENSES = ("In order MCMC,", "Also a value of", "Bei Order-MCMC", "Auch ein Wert")
ENDINGS_DE = ("", "n", "en", "s", "es")
LESSONS: Mapping[str, str] = {
    "adjustment set": "09-simpson",
    "alpha": "07-alpha",
    "autonomous group": "14-how-sure",
    "awareness": "11-lmm",
    "back-door path": "09-simpson",
    "Bayesian network": "01-d-separation",
    "BDeu": "14-how-sure",
    "BIC": "12-path",
    "bootstrap": "14-how-sure",
    "C1": "13-information-thresholds",
    "calibration": "14-how-sure",
    "CD": "11-lmm",
    "chain": "01-d-separation",
    "cluster": "12-path",
    "collider": "01-d-separation",
    "compelled edge": "05-equivalence-classes",
    "conditioning set": "03-pc-by-hand",
    "CPDAG": "05-equivalence-classes",
    "CPPD": "11-lmm",
    "d-connected": "01-d-separation",
    "d-separation": "01-d-separation",
    "DAG": "01-d-separation",
    "decentralised search": "16-markov-blankets",
    "degenerate Gaussian test": "15-holes-and-bins",
    "degrees of freedom": "07-alpha",
    "effective sample size": "06-more-data",
    "equivalence class": "05-equivalence-classes",
    "equivalent sample size": "14-how-sure",
    "faithfulness": "08-faithfulness",
    "false discovery": "13-information-thresholds",
    "Fisher's z": "07-alpha",
    "fork": "01-d-separation",
    "generative tree": "14-how-sure",
    "G²": "07-alpha",
    "imputation": "23-missing-values",
    "instrument": "09-simpson",
    "joint CPPD": "11-lmm",
    "level": "03-pc-by-hand",
    "Markov blanket": "16-markov-blankets",
    "Meek's rules": "04-colliders-and-meek",
    "mutual information": "13-information-thresholds",
    "order MCMC": "14-how-sure",
    "p-value": "07-alpha",
    "permutation test": "13-information-thresholds",
    "posterior probability": "14-how-sure",
    "prior": "14-how-sure",
    "sepset": "03-pc-by-hand",
    "SHD": "06-more-data",
    "shrinkage": "13-information-thresholds",
    "skeleton": "03-pc-by-hand",
    "solution path": "12-path",
    "spouse": "16-markov-blankets",
    "statistical call": "12-path",
    "superset": "16-markov-blankets",
    "temperature γ": "14-how-sure",
    "v-structure": "04-colliders-and-meek",
    "Φ": "12-path",
}


def entry_of(term: str, language: str = "en") -> tuple[str, str]:
    """Return head and definition of a term in a list; in German, the head is the German word, then the English term."""
    if language != "de":
        return term, GLOSSARY[term]
    word, meaning = GLOSSARY_DE[term]
    return (word if word == term else f"{word} ({term})"), meaning


@cache
def forms(language: str = "en") -> Mapping[str, str]:
    """Return all forms of the terms, including plurals, with their terms.

    The forms of other languages include the English ones, because the pages are in English.
    """
    english = {term: term for term in GLOSSARY} | ALIASES
    found = {form: term for word, term in english.items() for form in (word, _plural(word))}
    found |= {form: "" for phrase in OTHER_MEANINGS for form in (phrase, _plural(phrase))}
    if language == "de":
        german = {word: term for term, (word, _) in GLOSSARY_DE.items()}
        found |= {f"{word}{end}": term for word, term in german.items() for end in ENDINGS_DE}
    return found


def _plural(word: str) -> str:
    if word.endswith("y"):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith("ss") else f"{word}s"


@cache
def pattern(language: str = "en") -> str:
    """Return a regular expression that finds each form as a whole word, longest first; JavaScript needs the flag u."""
    parts = [_either_case(form) for form in sorted(forms(language), key=len, reverse=True)]
    return rf"(?<![\p{{L}}\p{{N}}_-])({'|'.join(parts)})(?![\p{{L}}\p{{N}}_-])"


def _either_case(form: str) -> str:
    """Return a pattern for a form with any white space and an optional capital; abbreviations keep their case."""
    quoted = form.replace(".", r"\.").replace(" ", r"\s+")
    small = form[0].islower() and not (len(form) > 1 and form[1].isupper())
    return f"[{form[0]}{form[0].upper()}]{quoted[1:]}" if small else quoted


def term_of(found: str, language: str = "en") -> str:
    """Return the term of a form found by `pattern`."""
    known, found = forms(language), " ".join(found.split())
    return known[found] if found in known else known[found[0].lower() + found[1:]]


def in_lessons(definition: str) -> str:
    """Return a definition without the sentences that give another meaning of the word."""
    sentences = re.split(r"(?<=\.)\s+(?=[A-ZÄÖÜ])", definition)
    return " ".join(one for one in sentences if not one.startswith(OTHER_SENSES))


@cache
def _terms() -> re.Pattern[str]:
    return re.compile(pattern().replace(r"\p{L}\p{N}_", r"\w"))


def with_terms(sentence: str, language: str = "en", lesson: str = "") -> str:
    """Return a plain sentence as Markdown; the first mention of each term becomes a link with its definition.

    Terms that the open `lesson` explains get no link, because it would lead to the same page.
    """
    parts, seen, end = [], set(), 0
    for found in _terms().finditer(sentence):
        term = term_of(found[1])
        if term in seen or not term or LESSONS[term] == lesson:
            continue
        seen.add(term)
        parts += [_escaped(sentence[end : found.start()]), link(term, found[0], language)]
        end = found.end()
    return "".join([*parts, _escaped(sentence[end:])])


def _escaped(text: str) -> str:
    """Escape Markdown but keep the spaces at both ends, which separate text from links."""
    inner = text.strip(" ")
    lead = text[: len(text) - len(text.lstrip(" "))]
    return f"{lead}{escape_markdown(inner)}{text[len(lead) + len(inner) :]}"


def link(term: str, shown: str, language: str = "en") -> str:
    """Return a term as a Markdown link with its definition as title."""
    return f'[{escape_markdown(shown)}](lessons?lesson={LESSONS[term]} "{GLOSSARIES[language][term]}")'
