"""Finished messages in German: templates are recognized, names of the user stay as they are."""

from __future__ import annotations

import re

import pytest

from viz.translation.sentences import messages, translated

NAME = "'rows of the table'"  # a name that reads like a part of a message
CASES = {
    f"column {NAME} is skewed, so a few rows dominate correlations. Normal scores replace the values by "
    "the normal quantiles of their ranks, so no row dominates.": (
        f"Spalte {NAME} ist schief verteilt, daher bestimmen wenige Zeilen die Korrelationen. "
        "Normalisierte Ränge ersetzen die Werte durch die Normalquantile ihrer Ränge, damit keine Zeile überwiegt."
    ),
    "'-' may mean missing or may be a value. 2,170 cells in 2,089 rows of columns 'a' and 'b' have it as a level.": (
        "'-' kann „fehlt“ bedeuten oder ein Wert sein. 2\u00a0170 Zellen in 2\u00a0089 Zeilen "
        "(Spalten 'a' und 'b') haben diese Stufe."
    ),
    f"leave out {NAME}, 'b', 'c', 'd', 'e' and 4 more": f"{NAME}, 'b', 'c', 'd', 'e' und 4 weitere weglassen",
    "Whether the variables share hidden causes was not checked, because 'a' nearly equals another column.": (
        "Ob die Variablen verborgene gemeinsame Ursachen haben, wurde nicht geprüft: "
        "'a' gleicht fast einer anderen Spalte."
    ),
    "Columns 'a', 'b' and 'c' never vary.": "Spalten 'a', 'b' und 'c' sind konstant.",
    "Undecided: 'a' → 'b', 'c' → 'd' and 2 more; chance, a hidden common cause or the opposite direction may explain "
    "them.": (
        "Unentschieden: 'a' → 'b', 'c' → 'd' und 2 weitere; Zufall, eine verborgene gemeinsame Ursache oder die "
        "Gegenrichtung kann sie erklären."
    ),
    "'a' causes 'b' with P > 0.99: all methods agree in nearly all resamples.": (
        "'a' verursacht 'b' mit P > 0.99: alle Methoden stimmen in fast allen Bootstrap-Stichproben überein."
    ),
    "text, such as 'yes'; 2 different; empty (791 times) taken as missing": (
        "Text, wie 'yes'; 2 verschiedene; leer (791-mal) als fehlend"
    ),
    "24 DAGs fit equally well.": "24 DAGs passen gleich gut.",
    "less than a second": "unter einer Sekunde",
    "Nothing here is in the catalog.": "Nothing here is in the catalog.",
}


@pytest.mark.parametrize("text", CASES)
def test_messages_are_written_in_german(text):
    assert translated(text, "de") == CASES[text]
    assert translated(text, "en") == text


def test_translations_have_the_fields_of_their_templates():
    fields = re.compile(r"{\w+}")
    for english, german in messages("de").items():
        assert sorted(fields.findall(english)) == sorted(fields.findall(german)), english
        assert not english.endswith("."), english  # a sentence is recognized without its full stop


def test_the_messages_of_english_are_those_of_the_library():
    assert messages("en") == {}
