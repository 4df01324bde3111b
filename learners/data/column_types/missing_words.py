"""Words that people and programs write for a missing value, in several languages."""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrow_arrays import text_array, to_numpy

# Texts that often mean "no value". This is only a guess: 'None' is a level of the insurance network. Those in
# `SURE_MARKERS` are rarely a level; in a file with a numeric column where they mean "missing", they do in all columns.
SURE_MARKERS = frozenset({"na", "nan", "?", "null", "n/a", "#n/a", "<na>"}).union(
    ("#value!", "#ref!", "#null!", "#div/0!", "#num!", "#name?", "#nv", "#wert!", "#bezug!"),  # errors of spreadsheets
)
MARKERS = SURE_MARKERS.union(
    ("", "none", "-", ".", "*", "**", '""', "''", "\\n", "(null)", "#n/a n/a"),
    (f".{letter}" for letter in ascii_lowercase),  # Stata's extended missing values
)
# Words for "no answer", rarely a level. They are offered as missing, but never guessed to be missing.
NO_ANSWER = (
    *("--", "---", "n.a.", "n.d.", "dk/na", "unk", "unknown", "undefined", "unspecified", "missing", "(missing)"),
    *("(blank)", "no data", "no answer", "no response", "non-response", "nonresponse", "not answered", "unanswered"),
    *("not available", "not applicable", "not known", "not stated", "not specified", "not reported", "declined"),
    *("declined to answer", "refused", "refusal", "prefer not to say", "prefer not to answer"),
    *("don't know", "dont know", "do not know"),
    *("k.a.", "k.a", "w.n.", "keine angabe", "keine angaben", "keine antwort", "ohne angabe", "weiss nicht"),
    *("nicht bekannt", "unbekannt", "verweigert", "antwort verweigert", "fehlt", "fehlend"),
    *("inconnu", "manquant", "nsp", "ne sait pas", "sans réponse", "non réponse", "non renseigné"),
    *("ns/nc", "desconocido", "no sabe", "no contesta", "no responde", "sin respuesta", "sin dato", "não sabe"),
    *("sconosciuto", "non so", "non risponde", "onbekend", "weet niet", "geen antwoord"),
)
ENDS_IN_WORD = r"[0-9A-Za-z]\s*$"  # no text that matches this is between signs
# Letters between signs, such as *nc*, [nd] and <none>, but neither numbers nor quoted words.
FRAMED = r"""^\s*[^\p{L}\p{N}\s"'’`´“”„«»]+\s*\p{L}[^\p{N}]*[^\p{L}\p{N}\s"'’`´“”„«»]\s*$"""


def is_framed(texts: pa.Array) -> np.ndarray:
    """Return (m,) bool: letters between signs, which are not values in a column of numbers."""
    if to_numpy(pc.match_substring_regex(texts, ENDS_IN_WORD)).all():  # compiling the other takes milliseconds
        return np.zeros(len(texts), dtype=bool)
    return to_numpy(pc.match_substring_regex(texts, FRAMED))


def says_no_answer(texts: pa.Array) -> np.ndarray:
    """Return (m,) bool: words for "no answer", regardless of case, apostrophes and whitespace."""
    plain = pc.utf8_lower(pc.utf8_trim_whitespace(texts))
    for found, instead in ((r"\s+", " "), (r"\. +", "."), ("[’`´]", "'"), ("ß", "ss")):
        plain = pc.replace_substring_regex(plain, found, instead)
    return to_numpy(pc.is_in(plain, value_set=text_array(NO_ANSWER)))


def is_marker(texts: pa.Array) -> np.ndarray:
    """Return (m,) bool: texts that often mean "missing", regardless of case and surrounding whitespace."""
    plain = pc.utf8_lower(pc.utf8_trim_whitespace(texts))
    return to_numpy(pc.is_in(plain, value_set=text_array(sorted(MARKERS))))
