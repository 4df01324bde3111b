"""Sentences about an experiment: cell names, abbreviations, verdicts and reasons for differences."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from learners.common.sentences import Count

from ..language import ENGLISH, Language
from ..translation.experiment_words import EXPERIMENT_WORDS

MAX_NAMED = 4
PLACE = re.compile(r"\d+(?:\.\d+)?")  # place on the horizontal axis, at the end of a metric
WITHOUT_NAME = ("kind", "network")  # parameters of which only the value is shown
MEANINGS = {
    "TPR": "true positive rate: share of the true edges that are found (in a CPDAG with their direction)",
    "FPR": "false positive rate: share of the truly non-adjacent pairs that are found adjacent",
    "auROC": "area under the ROC curve up to the given FPR, divided by its maximum",
    "JI": "Jaccard index: correct edges (with direction) divided by the edges of either graph",
    "SHD": "structural Hamming distance: number of pairs whose edge differs between two graphs",
    "Brier": "Brier score: mean squared error of the probabilities, 0 is best",
    "average precision": "mean precision at each true edge of the ranking",
    "HGI": "hybrid greedy initialisation: the skeleton oriented greedily by the score, as the start of a search",
    "HC": "hill climbing",
    "GSC": "hill climbing within the skeleton, starting from the empty graph",
    "CIG": "conditional independence graph: pairs that are dependent given all other variables",
}

TALLIED = {  # a number of cases with a verdict, in singular and plural
    "holds": ("{n} holds", "{n} hold"),
    "the other way": ("{n} points the other way", "{n} point the other way"),
    "no clear difference": ("{n} shows no clear difference", "{n} show no clear difference"),
    "no figures": ("{n} without figures",) * 2,
    "one data set: spread unknown": ("{n} with one data set, so without a spread",) * 2,
}


def cell_label(cell: str, language: Language = ENGLISH) -> str:
    """Return the parameters of a cell as text: "network=alarm n=500" becomes "alarm, n = 500"."""
    parts = (part.partition("=") for part in cell.split())
    own = EXPERIMENT_WORDS.get(language.code, {})

    def word(text: str) -> str:
        return own.get(text) or language.written(text)

    def part(name: str, value: str) -> str:
        if name == "network":  # a name such as child, which is not translated
            return value
        return word(value) if name in WITHOUT_NAME else f"{word(name)} = {own.get(value, value)}"

    return ", ".join(part(name, value) for name, _, value in parts)


def method_label(method: str, language: Language = ENGLISH) -> str:
    """Return a method, or the difference of two methods, as text: "BOSS, imputed - BOSS, available"."""
    own = EXPERIMENT_WORDS.get(language.code, {})
    return "".join(own.get(part, part) for part in re.split(r"( - |, )", method))


def metric_label(metric: str, language: Language = ENGLISH) -> str:
    """Return a metric as text: "auROC 0.06" becomes "partial auROC, FPR up to 0.06"."""
    name, _, limit = metric.partition(" ")
    if name != "auROC":
        written, (base, at, place) = language.written(metric), metric.rpartition(" at ")
        if written == metric and at and PLACE.fullmatch(place):
            return language.t("{metric} at {place}", metric=language.written(base), place=place)
        return written
    if limit == "shared":
        return language.t("partial auROC, FPR that all methods reach")
    return language.t("partial auROC, FPR up to {limit}", limit=limit)


def share_label(share: str, language: Language = ENGLISH) -> str:
    """Return a share of the networks, such as "9 of 10", as text."""
    n, of, m = share.partition(" of ")
    return language.t("{n} of {m}", n=n, m=m) if of else share


def meanings(names: str, language: Language = ENGLISH) -> str:
    """Return the meanings of the abbreviations in `names`, or ""."""
    found = [short for short in MEANINGS if re.search(rf"\b{short}\b", names)]
    return "; ".join(f"{language.written(short)}, {language.written(MEANINGS[short])}" for short in found)


def tally(verdicts: pd.Series) -> dict[str, int]:
    """Return the number of cases of each verdict, the most frequent first."""
    counts = verdicts[verdicts != ""].value_counts()
    return {str(verdict): int(number) for verdict, number in counts.items()}


def tally_text(verdicts: pd.Series, language: Language = ENGLISH) -> str:
    """Return the number of cases of each verdict as text: "48 hold, 6 show no clear difference"."""
    return ", ".join(
        language.t(TALLIED[verdict][n != 1], n=n) if verdict in TALLIED else f"{n:,} {language.written(verdict)}"
        for verdict, n in tally(verdicts).items()
    )


def reasons(table: pd.DataFrame, language: Language = ENGLISH) -> list[str]:
    """Return one text for each note of a table with `cell`, `method`, `metric` and `note`: the cases, then the note."""
    noted = table[table["note"] != ""]
    return [
        f"{_cases(inside, language)}: {language.written(note)}" for note, inside in noted.groupby("note", sort=False)
    ]


def _cases(rows: pd.DataFrame, language: Language) -> str:
    return language.t(
        "{values}, {metrics} of {methods} ({cells})",
        values=Count(len(rows), "value"),
        metrics=_named([metric_label(metric, language) for metric in rows["metric"].unique()], language),
        methods=_named([language.written(method) for method in rows["method"].unique()], language),
        cells=_named([cell_label(cell, language) for cell in rows["cell"].unique()], language),
    )


def _named(names: Sequence[str], language: Language) -> str:
    shown, more = "; ".join(names[:MAX_NAMED]), len(names) - MAX_NAMED
    return language.t("{names} and {n} more", names=shown, n=more) if more > 0 else shown
