"""Texts in a chosen language, for pages and for files such as reports and notebooks."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pandas as pd

from learners.common.sentences import THOUSANDS, Catalog, Count, Phrase, Sentence, Value
from learners.families.catalogue import LEARNERS
from learners.io.samples import SAMPLES

from .labels import within_sentence
from .translation.sentences import catalog, translated

_SAMPLE_TITLES = {sample.title for sample in SAMPLES.values()}
_LABELS = "|".join(sorted((re.escape(one.label) for one in LEARNERS.values()), key=len, reverse=True))
_TITLE = re.compile(rf"(\d+\. )?({_LABELS}) on (.*)", re.S)
_SETTINGS = re.compile(r"(?P<table>.*) \((?P<settings>[^()]+)\)", re.S)  # at the end of a title
# Background knowledge in a title; "knowing" and "set" stand in titles of projects saved by earlier versions.
_AMOUNT = re.compile(r"\d[\d,.]*")  # the number in a part of a progress report
_ROWS = re.compile(r"rows ([\d,]+) to ([\d,]+)")
_KNOWLEDGE = re.compile(r"(knowing |background knowledge: )?(\d+) (tiers?|edges?)( set)?")
_CITED = {  # words of citations, which are not sentences
    "de": (
        (" and ", " und "),
        ("after ", "nach "),
        ("with BOSS", "mit BOSS"),
        ("at many penalties", "bei vielen Strafen"),
        ("appendix ", "Anhang "),
    )
}
_SETTING_LABELS = {  # labels of settings as they stand in a title, with those of the forms; long ones first
    label: one.label
    for one in sorted(
        (one for learner in LEARNERS.values() for one in learner.parameters), key=lambda one: -len(one.label)
    )
    for label in (one.name, within_sentence(one.label))
}


@dataclass(frozen=True)
class Language:
    """A language of the catalogs.

    Attributes
    ----------
    code : str
        "en" or "de".
    """

    code: str = "en"

    @property
    def catalog(self) -> Catalog:
        """Return the translations of English templates; empty for English."""
        return catalog(self.code)

    def t(self, template: str, /, **values: Value | str | int) -> str:
        """Write a template with its values: ``t("{rows} are complete", rows=Count(3, "row"))``."""
        return Sentence(template, values).text((), self.catalog)

    def counted(self, n: int, singular: str, plural: str | None = None) -> str:
        """Write a number with its noun: 1 edge, 2 edges."""
        return Count(n, singular, plural).text((), self.catalog)

    def written(self, text: str) -> str:
        """Write a phrase or a finished message of the library, in English where the catalog lacks its template."""
        return text.written(self.catalog) if isinstance(text, Phrase) else translated(text, self.code)

    def progress(self, phase: str) -> str:
        """Write the phase of a run in progress, part by part: "level 1, 120 tests", "Stufe 1, 120 Tests"."""
        return ", ".join(self._part_of_progress(part) for part in phase.split(", "))

    def _part_of_progress(self, part: str) -> str:
        found = _AMOUNT.search(part)
        if found is None:
            return self.catalog.get(part, part)
        template = f"{part[: found.start()]}{{n}}{part[found.end() :]}"
        return self.catalog.get(template, template).format(n=self.separated(found.group()))

    def citation(self, paper: str) -> str:
        """Write the citation of a paper: "Colombo und Maathuis (2014), nach Spirtes et al. (2000)"."""
        for english, other in _CITED.get(self.code, ()):
            paper = paper.replace(english, other)
        return paper

    def separated(self, digits: str) -> str:
        """Return the digits of a number with the thousands separator of the language."""
        return digits.replace(THOUSANDS, self.catalog.get(THOUSANDS, THOUSANDS))

    def cells(self, table: pd.DataFrame, *columns: str) -> pd.DataFrame:
        """Return a table with its headings and the words in some of its columns in this language."""
        known = {name: [self.written(str(word)) for word in table[name]] for name in columns if name in table}
        return table.assign(**known).rename(columns=dict(self.catalog))

    def run_title(self, title: str) -> str:
        """Write the title or the label of a run: "2. PC on Asia (simulated) (alpha 0.01)"."""
        found = _TITLE.fullmatch(title)
        if found is None or self.code == "en":
            return title
        number, learner, rest = found.groups()
        table, settings = rest, ""
        if known := _SETTINGS.fullmatch(rest):
            parts = [self._setting(part) for part in known["settings"].split(", ")]
            if all(parts):
                table, settings = known["table"], f" ({', '.join(parts)})"
        written = self.t("{learner} on {table}", learner=self.t(learner), table=self.table_title(table))
        return f"{number or ''}{written}{settings}"

    def _setting(self, text: str) -> str:
        """Write a setting in the title of a run, such as "alpha 0.01"; empty for another text."""
        if found := _KNOWLEDGE.fullmatch(text):
            knowing, n, noun, _ = found.groups()
            return f"{self.t('background knowledge')}: " * bool(knowing) + self.counted(int(n), noun.removesuffix("s"))
        if found := _ROWS.fullmatch(text):
            first, last = (int(number.replace(",", "")) for number in found.groups())
            return self.t("rows {first} to {last}", first=first, last=last)
        label = next((one for one in _SETTING_LABELS if text.startswith(f"{one} ")), None)
        if label is None:
            return ""
        value = self.written(text.removeprefix(f"{label} "))
        return f"{label if label == 'alpha' else self.t(_SETTING_LABELS[label])} {value}"

    def table_title(self, title: str) -> str:
        """Write the title of a bundled or drawn table; titles of the user's tables stay as they are."""
        if title in _SAMPLE_TITLES:
            return self.t(title)
        return self.written(title) if title.startswith("drawn network, ") else title


ENGLISH = Language()
