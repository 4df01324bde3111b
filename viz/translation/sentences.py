"""Catalogs of sentences in each language, and finished messages of the library in another language.

A catalog maps English templates to their translations. Some messages of the library, such as errors, are plain English:
`translated` recognizes the template of each sentence of a message, one of `finished_messages_de.json`, and writes its
translation with the same values. Values in quotes are names of the user and stay as they are; others, such as counts,
are translated in turn.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from itertools import zip_longest
from pathlib import Path

from learners.common.sentences import ENGLISH, THOUSANDS, Catalog, Phrase, Sentence

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch"}
Translator = Callable[..., str]
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')  # a string in JavaScript
_FIELD = re.compile(r"{(\w+)}")
_BETWEEN = re.compile(r"(?<=[^\s.][.?])\u0020(?=[A-Z'\d])")  # not within the range 0 .. 4
_NAMES = re.compile(r"('(?:[^'\\\\]|\\\\.)*'|\"[^\"]*\")")
_LIST = r"'.*?'(?:(?:, | and )(?:'.*?'|[\d,]+ more))*"  # pattern of a list of names in quotes
_FORMS = {  # patterns of fields by name; other fields match as little as possible
    "name": _LIST,
    "names": _LIST,
    "reason": ".+",
    "conversion": "as .+",  # how the texts of a column are read
    "near": "; .+",  # a near miss or the known words, as `did_you_mean` writes them
    **dict.fromkeys(("n", "m", "k", "low", "high"), r"\d[\d,]*"),
}
_LISTED = re.compile(_LIST, re.S)
_NUMBER = re.compile(r"\d[\d,]*")


class Translations(dict[str, str]):
    """The catalog of a language, which also translates finished messages."""

    def __init__(self, known: Mapping[str, str], language: str) -> None:
        super().__init__(known)
        self.language = language

    def message(self, text: str) -> str:
        """Return a finished message, or a clause of one, in the language."""
        return translated(text, self.language)


@cache
def catalog(language: str, name: str = "sentences") -> Catalog:
    """Return the catalog of a language from the file of that name; empty for English."""
    if language == "en":
        return ENGLISH
    known = json.loads((Path(__file__).parent / f"{name}_{language}.json").read_text(encoding="utf-8"))
    return Translations(known, language)


@cache
def translator(language: str) -> Translator:
    """Return ``t(template, **values)``, which writes an English template in the language."""

    def t(template: str, **values: object) -> str:
        return Sentence(template, values).text((), catalog(language))

    return t


@cache
def words_of_scripts(language: str, folder: Path) -> Catalog:
    """Return the translations of the texts in the JavaScript of a folder; none for English."""
    known = catalog(language)
    scripts = (path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.js")))
    return {text: known[text] for script in scripts for text in LITERAL.findall(script) if text in known}


def messages(language: str) -> Catalog:
    """Return the templates of messages with their translations; empty for English."""
    return catalog(language, "finished_messages")


@cache
def _patterns(language: str) -> list[tuple[re.Pattern, str]]:
    """Return templates as patterns with their translations, those with the longest fixed text first."""
    found, templates = [], messages(language)
    for template in sorted(templates, key=lambda one: (-len(_FIELD.sub("", one)), one)):
        parts = _FIELD.split(template)  # fixed texts and names of fields, alternating
        fields = (f"(?P<{name}>{_FORMS.get(name, '.+?')})" for name in parts[1::2])
        texts = map(re.escape, parts[::2])
        pattern = "".join(f"{text}{field}" for text, field in zip_longest(texts, fields, fillvalue=""))
        found.append((re.compile(pattern, re.S), templates[template]))
    return found


@lru_cache(maxsize=4096)
def translated(text: str, language: str) -> str:
    """Return a message of the library in a language; sentences without an entry in the catalog stay in English.

    A `Phrase` is written from its sentence.
    """
    known = catalog(language)
    if isinstance(text, Phrase):
        return text.written(known)
    if not known or not text:
        return text
    if text in known:
        return known[text]
    return " ".join(_sentence(sentence, language, known) for sentence in _BETWEEN.split(text))


def _sentence(text: str, language: str, known: Catalog) -> str:
    """Translate a sentence. Templates have neither full stop nor capital, so both are removed first and restored."""
    words, ending = (text[:-1], ".") if text.endswith(".") else (text, "")
    found = _matched(words, language, known)
    if found is None:
        return known.get(text, text)
    return (found[:1].upper() + found[1:] if words[:1].isupper() else found) + ending


def _matched(text: str, language: str, known: Catalog) -> str | None:
    """Translate words by the first template that fits, as they are or with a small first letter; None if none fits."""
    forms = (text, text[:1].lower() + text[1:])
    for form in forms:
        if form in known:
            return known[form]
    for pattern, template in _patterns(language):
        if match := next(filter(None, map(pattern.fullmatch, forms)), None):
            values = {name: _value(value, language, known) for name, value in match.groupdict().items()}
            return template.format_map(values)
    return None


def _value(value: str, language: str, known: Catalog) -> str:
    """Return the value of a field: names in quotes unchanged, other words translated."""
    if _NUMBER.fullmatch(value):
        return value.replace(THOUSANDS, known.get(THOUSANDS, THOUSANDS))
    named = value[:1] in "'\""
    if not (named and _LISTED.fullmatch(value)) and (found := _matched(value, language, known)):
        return found
    if named:
        parts = _NAMES.split(value)
        return "".join(part if k % 2 else _joints(part, known) for k, part in enumerate(parts))
    return value


def _joints(text: str, known: Catalog) -> str:
    """Translate the words between the names of a list: "and" and "more"."""
    return text.replace(" and ", known[" and "]).replace(" more", f" {known['more']}")
