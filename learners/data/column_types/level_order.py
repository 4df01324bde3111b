"""Guess the order of the levels of a column from their words and numbers, in English and German."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

# Number of levels of an ordered scale: two levels need no order, and longer scales are numbers.
MIN_LEVELS, MAX_LEVELS = 3, 20
MIN_CODES = 5  # minimum number of consecutive whole numbers from 0 or 1 that form a scale whatever the column is called

# Each scale lists its steps from the lowest to the highest, and each step the ways to write it.
SCALES: tuple[tuple[tuple[str, ...], ...], ...] = (
    (
        ("strongly disagree", "disagree strongly", "totally disagree", "completely disagree", "fully disagree"),
        ("disagree", "mostly disagree", "moderately disagree"),
        ("somewhat disagree", "slightly disagree", "rather disagree", "disagree somewhat", "tend to disagree"),
        ("neither agree nor disagree", "neither", "neutral", "undecided", "neither nor", "not sure", "unsure"),
        ("somewhat agree", "slightly agree", "rather agree", "agree somewhat", "tend to agree"),
        ("agree", "mostly agree", "moderately agree"),
        ("strongly agree", "agree strongly", "totally agree", "completely agree", "fully agree"),
    ),
    (
        ("stimme überhaupt nicht zu", "stimme gar nicht zu", "trifft überhaupt nicht zu", "trifft gar nicht zu"),
        ("stimme nicht zu", "lehne ab", "trifft nicht zu"),
        ("stimme eher nicht zu", "trifft eher nicht zu", "lehne eher ab", "trifft kaum zu"),
        ("teils teils", "teils/teils", "weder noch", "unentschieden", "neutral", "trifft teilweise zu"),
        ("stimme eher zu", "trifft eher zu"),
        ("stimme zu", "trifft zu"),
        ("stimme voll und ganz zu", "stimme völlig zu", "stimme voll zu", "trifft voll und ganz zu", "trifft voll zu",
         "trifft völlig zu", "trifft genau zu"),
    ),
    (
        ("very dissatisfied", "completely dissatisfied", "sehr unzufrieden"),
        ("dissatisfied", "unsatisfied", "unzufrieden"),
        ("somewhat dissatisfied", "slightly dissatisfied", "eher unzufrieden"),
        ("neutral", "neither", "neither satisfied nor dissatisfied", "teils teils", "weder noch"),
        ("somewhat satisfied", "slightly satisfied", "eher zufrieden"),
        ("satisfied", "zufrieden"),
        ("very satisfied", "completely satisfied", "sehr zufrieden"),
    ),
    (
        ("zero", "none", "absent", "keine", "kein"),
        ("extremely low", "extremely small", "extrem niedrig"),
        ("very low", "very small", "very little", "sehr niedrig", "sehr gering", "sehr klein", "vlow", "xs"),
        ("low", "small", "little", "lower", "niedrig", "gering", "klein", "s", "short", "kurz", "lo"),
        ("below average", "rather low", "eher niedrig", "unterdurchschnittlich"),
        ("medium", "med", "middle", "mid", "moderate", "average", "normal", "intermediate", "mittel", "mäßig", "m",
         "durchschnittlich"),
        ("above average", "rather high", "eher hoch", "überdurchschnittlich"),
        ("high", "large", "big", "higher", "hoch", "groß", "gross", "l", "tall", "long", "lang", "hi"),
        ("very high", "very large", "very big", "sehr hoch", "sehr groß", "sehr gross", "vhigh", "xl"),
        ("extremely high", "extremely large", "extrem hoch", "xxl"),
    ),
    (
        ("none", "no", "absent", "keine", "kein", "normal", "healthy"),
        ("minimal", "very mild", "trace", "sehr leicht"),
        ("mild", "slight", "minor", "light", "leicht", "gering"),
        ("moderate", "medium", "mittel", "mäßig", "mittelschwer"),
        ("severe", "serious", "major", "schwer", "stark"),
        ("very severe", "extreme", "critical", "sehr schwer", "kritisch"),
        ("fatal", "tödlich"),
    ),
    (
        ("never", "none", "nie", "niemals"),
        ("hardly ever", "almost never", "very rarely", "sehr selten", "fast nie"),
        ("rarely", "seldom", "selten"),
        ("occasionally", "gelegentlich"),
        ("sometimes", "some", "manchmal"),
        ("often", "frequently", "usually", "oft", "häufig", "meistens"),
        ("very often", "very frequently", "almost always", "sehr oft", "sehr häufig", "fast immer"),
        ("always", "immer", "stets"),
    ),
    (
        ("never", "nie", "niemals"),
        ("less than yearly", "less than once a year", "seltener als jährlich"),
        ("yearly", "annually", "once a year", "every year", "jährlich"),
        ("quarterly", "every quarter", "vierteljährlich"),
        ("less than monthly", "less than once a month", "seltener als monatlich"),
        ("monthly", "once a month", "every month", "monatlich", "einmal im monat"),
        ("less than weekly", "less than once a week", "fortnightly", "biweekly", "seltener als wöchentlich"),
        ("weekly", "once a week", "every week", "wöchentlich", "einmal pro woche"),
        ("several times a week", "mehrmals pro woche", "mehrmals die woche"),
        ("daily", "once a day", "every day", "täglich", "jeden tag"),
        ("several times a day", "mehrmals täglich", "mehrmals am tag"),
        ("hourly", "every hour", "stündlich"),
    ),
    (
        ("very poor", "very bad", "terrible", "awful", "sehr schlecht", "ungenügend"),
        ("poor", "bad", "schlecht", "mangelhaft"),
        ("fair", "acceptable", "passable", "ausreichend", "mäßig"),
        ("average", "ok", "okay", "neutral", "mittel", "befriedigend", "mittelmäßig"),
        ("good", "gut"),
        ("very good", "sehr gut"),
        ("excellent", "outstanding", "perfect", "ideal", "ausgezeichnet", "hervorragend"),
    ),
    (
        ("very unlikely", "extremely unlikely", "sehr unwahrscheinlich"),
        ("unlikely", "unwahrscheinlich"),
        ("neutral", "possible", "maybe", "vielleicht"),
        ("likely", "wahrscheinlich"),
        ("very likely", "extremely likely", "sehr wahrscheinlich"),
    ),
    (
        ("not at all", "gar nicht", "überhaupt nicht"),
        ("slightly", "a little", "a little bit", "etwas", "ein wenig", "wenig", "kaum"),
        ("somewhat", "moderately", "mittelmäßig", "teilweise", "mäßig"),
        ("quite a bit", "very", "mostly", "much", "ziemlich", "überwiegend", "sehr"),
        ("extremely", "completely", "very much", "äußerst", "völlig", "sehr stark"),
    ),
    (
        ("unimportant", "not important", "unwichtig"),
        ("slightly important", "less important", "weniger wichtig"),
        ("moderately important", "somewhat important", "neutral", "teils teils"),
        ("important", "wichtig"),
        ("very important", "sehr wichtig"),
    ),
    (
        ("much worse", "far worse", "viel schlechter", "deutlich schlechter"),
        ("worse", "decreased", "down", "falling", "schlechter", "gesunken"),
        ("same", "unchanged", "stable", "no change", "average", "about the same", "gleich", "unverändert", "stabil"),
        ("better", "increased", "up", "rising", "besser", "gestiegen"),
        ("much better", "far better", "viel besser", "deutlich besser"),
    ),
    (
        ("strongly oppose", "strongly disapprove", "strongly against"),
        ("oppose", "disapprove", "against"),
        ("somewhat oppose", "somewhat disapprove", "lean oppose"),
        ("neutral", "neither", "undecided", "unsure", "not sure"),
        ("somewhat favor", "somewhat favour", "somewhat support", "somewhat approve", "lean favor"),
        ("favor", "favour", "support", "approve"),
        ("strongly favor", "strongly favour", "strongly support", "strongly approve"),
    ),
    (
        ("extremely liberal", "very liberal", "very left"),
        ("liberal", "left"),
        ("slightly liberal", "somewhat liberal", "center left", "centre left"),
        ("moderate", "center", "centre", "middle of the road"),
        ("slightly conservative", "somewhat conservative", "center right", "centre right"),
        ("conservative", "right"),
        ("extremely conservative", "very conservative", "very right"),
    ),
    (("freshman", "first year"), ("sophomore",), ("junior",), ("senior",), ("graduate student", "graduate")),
    (
        ("less than high school", "less than hs", "<hs", "< hs", "hs or lower", "no high school"),
        ("high school", "hs", "high school graduate", "hs graduate", "hs grad"),
        ("some college", "associate", "associate degree", "associate's degree"),
        ("college", "univ", "university", "college graduate", "college grad", "bachelor", "bachelor's degree",
         "bachelors", "bachelor's degree or higher"),
        ("grad", "graduate", "postgraduate", "advanced degree", "graduate degree", "master", "master's degree",
         "masters"),
        ("doctorate", "phd"),
    ),
    (
        ("no education", "none", "no schooling", "kein abschluss"),
        ("primary", "primary school", "elementary", "grundschule"),
        ("secondary", "secondary school", "high school", "hauptschule"),
        ("some college", "realschule"),
        ("tertiary", "college", "abitur"),
        ("bachelor", "bachelors", "bachelor's degree", "bachelor's"),
        ("master", "masters", "master's degree", "master's"),
        ("doctorate", "phd", "doctoral", "promotion"),
    ),
    (
        ("child", "infant", "kind"),
        ("teenager", "adolescent", "teen", "jugendlicher", "jugendliche"),
        ("young adult", "young", "jung"),
        ("adult", "middle aged", "middle age", "erwachsen", "erwachsener"),
        ("senior", "elderly", "old", "alt", "senioren"),
    ),
    (
        ("pas du tout d'accord",), ("pas d'accord", "désaccord"), ("plutôt pas d'accord",),
        ("ni d'accord ni pas d'accord", "neutre"), ("plutôt d'accord",), ("d'accord",), ("tout à fait d'accord",),
    ),
    (
        ("très insatisfait", "très insatisfaite", "pas du tout satisfait", "pas du tout satisfaite"),
        ("insatisfait", "insatisfaite", "pas satisfait", "pas satisfaite"),
        ("plutôt insatisfait", "plutôt insatisfaite", "peu satisfait", "peu satisfaite"),
        ("neutre", "ni satisfait ni insatisfait"),
        ("plutôt satisfait", "plutôt satisfaite", "assez satisfait", "assez satisfaite"),
        ("satisfait", "satisfaite"),
        ("très satisfait", "très satisfaite", "tout à fait satisfait", "tout à fait satisfaite"),
    ),
    (
        ("jamais",), ("presque jamais",), ("rarement",), ("parfois", "quelquefois", "de temps en temps"), ("souvent",),
        ("très souvent",), ("toujours",),
    ),
    (
        ("aucun", "aucune", "nul"), ("très faible", "très bas"), ("faible", "bas", "basse", "petit", "petite"),
        ("moyen", "moyenne", "normal"), ("élevé", "élevée", "haut", "haute", "fort", "forte", "grand", "grande"),
        ("très élevé", "très élevée", "très haut", "très fort", "très grand"),
    ),
    (
        ("aucun", "aucune", "absent", "absente"), ("minime",), ("léger", "légère"), ("modéré", "modérée"),
        ("sévère", "grave"), ("très sévère", "très grave"),
    ),
    (
        ("très mauvais", "très mauvaise"), ("mauvais", "mauvaise"), ("passable", "moyen", "moyenne"), ("bon", "bonne"),
        ("très bon", "très bonne"), ("excellent", "excellente"),
    ),
    (
        ("severely underweight",), ("underweight", "untergewicht"), ("normal", "normal weight", "healthy weight",
         "normalgewicht"), ("overweight", "pre obese", "übergewicht"), ("obese", "obesity", "adipositas"),
        ("severely obese", "morbidly obese"),
    ),
    (("cold", "kalt"), ("cool", "mild", "kühl"), ("warm",), ("hot", "heiß", "heiss")),
    (("first", "1st", "erste"), ("second", "2nd", "zweite"), ("third", "3rd", "dritte"), ("fourth", "4th", "vierte")),
)  # fmt: skip
# How far a word moves the word behind it from the middle of a scale, as in "very worried"; without one it is 1.
STRENGTHS = {
    "extremely": 3.0, "completely": 3.0, "totally": 3.0, "äußerst": 3.0, "völlig": 3.0, "very": 2.0, "highly": 2.0,
    "strongly": 2.0, "sehr": 2.0, "stark": 2.0, "quite": 0.8, "fairly": 0.8, "ziemlich": 0.8, "moderately": 0.6,
    "mäßig": 0.6, "somewhat": 0.5, "rather": 0.5, "eher": 0.5, "slightly": 0.3, "a little": 0.3, "a bit": 0.3,
    "etwas": 0.3, "ein wenig": 0.3, "barely": 0.1, "kaum": 0.1,
}  # fmt: skip
NOTS = ("not at all", "not", "überhaupt nicht", "gar nicht", "nicht")  # before a word: its opposite, or none of it
OPPOSITES = ("un", "dis", "in", "im", "ir", "il")  # prefixes of an opposite, such as "unsatisfied"
MIDDLES = frozenset(
    {"neutral", "neither", "neither nor", "undecided", "unsure", "not sure", "mixed", "weder noch", "teils teils",
     "teils/teils", "unentschieden"}
)  # fmt: skip
STEMS = frozenset(
    {
        "grade",
        "stage",
        "level",
        "step",
        "degree",
        "rank",
        "class",
        "tier",
        "severity",
        "phase",
        "category",
        "score",
        "quartile",
        "quintile",
        "decile",
        "tertile",
        "stufe",
        "grad",
        "stadium",
        "klasse",
        "rang",
        "note",
        "schweregrad",
        "quartil",
        "quintil",
        "q",
        "g",
        "t",
        "n",
        "asa",
        "nyha",
        "ecog",
        "figo",
        "ccs",
        "killip",
    }
)
SCALE_WORDS = frozenset(
    {
        "grade",
        "stage",
        "level",
        "severity",
        "score",
        "rating",
        "rank",
        "likert",
        "satisfaction",
        "agreement",
        "agree",
        "importance",
        "quality",
        "stars",
        "degree",
        "class",
        "tier",
        "education",
        "frequency",
        "item",
        "stufe",
        "grad",
        "stadium",
        "klasse",
        "note",
        "bewertung",
        "zufriedenheit",
        "zustimmung",
    }
)
CYCLES = frozenset(
    {"month", "mon", "weekday", "day", "hour", "hr", "monat", "tag", "wochentag", "stunde", "direction"}
)  # these scales are cyclic: they have no lowest level
# Numbers in columns with these words are codes of unordered categories.
NOMINAL = frozenset(
    {
        "occupation", "occ", "profession", "industry", "sector", "branch", "department", "region", "country", "state",
        "province", "religion", "race", "ethnicity", "brand", "type", "kind", "group", "cluster", "site", "store",
        "shop", "lot", "batch", "plot", "block", "tree", "litter", "subject", "subj", "patient", "person", "id",
        "study", "center", "centre", "hospital", "clinic", "school", "team", "firm", "company", "station", "city",
        "town", "village", "district", "county", "experiment", "expt", "beruf", "branche", "sektor", "abteilung",
        "land", "konfession", "religionszugehörigkeit", "typ", "gruppe", "klinik", "schule", "filiale", "standort",
    }
)  # fmt: skip
ROMAN = {text: k for k, text in enumerate(("0", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"))}
NUMBER = r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:[.][0-9]+)?"
BAND = re.compile(rf"[\[(]?\s*({NUMBER})\s*(?:-|–|—|to|bis|,|;|\.\.)\s*<?\s*({NUMBER})\s*[\])]?$")
BELOW = re.compile(rf"(?:<|<=|≤|under|below|less than|up to|unter|bis|bis zu|weniger als)\s*({NUMBER})$")
BELOW_AFTER = re.compile(
    rf"({NUMBER})\s*(?:or less|or younger|or under|and under|and younger|oder weniger|oder jünger)$"
)
ABOVE = re.compile(rf"(?:>|>=|≥|over|above|more than|from|über|ab|mehr als)\s*({NUMBER})$")
ABOVE_AFTER = re.compile(rf"({NUMBER})\s*(?:\+|plus|or more|or older|and over|and older|and above|or over|oder mehr|"
                         r"oder älter|und mehr|und älter|[-–])$")  # fmt: skip
UNITS = re.compile(r"\s*(?:years? old|years?|yrs?|y|jahren?|months?|monate?|km|kg|cm|%|€|\$|£|eur|usd|k|h|hours?)\b")
UNIT = re.compile(r"(?<=[0-9])\s*([a-zµ°%]+(?:/[a-z]+)?)$")  # any unit behind a number
STAGE = re.compile(r"(i{1,3}|iv|v|vi{1,3}|ix|x)([a-d]?)")
CAPITAL = re.compile(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ])")  # between the words of "StronglyAgree"
LETTERS = re.compile(r"([a-g])([+-]?)$")


def level_order(name: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the levels of a column from the lowest to the highest, as far as words and numbers show an order.

    Parameters
    ----------
    name : str
        Name of the column; letters are grades, and a few whole numbers are a scale, only if the name suggests it.
    texts : sequence of str
        The distinct levels.

    Returns
    -------
    tuple of str
        All texts, or empty if no order is recognized.
    """
    words = set(re.findall(r"[a-zäöüß]+", name.casefold()))
    if not MIN_LEVELS <= len(texts) <= MAX_LEVELS or words & CYCLES:
        return ()
    plain = [_plain(text) for text in texts]
    named, nominal = bool(words & SCALE_WORDS), bool(words & NOMINAL)
    for places in (
        _in_words(texts, plain), None if nominal else _numbered(plain), _bands(plain), _stems(plain, nominal=nominal),
        None if nominal else _codes(plain, named=named),
        _letters(plain) if named else None,
    ):  # fmt: skip
        if places is not None and len(set(places)) == len(texts):
            return tuple(texts[k] for k in np.argsort(places))
    return ()


def _in_words(texts: Sequence[str], plain: Sequence[str]) -> Sequence[float] | None:
    """Return the places of texts in a scale of words, also of "StronglyAgree", "strongly.agree" and "low risk"."""
    split = [re.sub(r"(?<=[^\W\d_])\.(?=[^\W\d_])", " ", CAPITAL.sub(" ", text)) for text in texts]
    variants = [plain, [_plain(text) for text in split]]
    parts = [text.split(" ") for text in plain]
    if all(len(part) > 1 for part in parts):
        variants += [[" ".join(part[:-1]) for part in parts]] if len({part[-1] for part in parts}) == 1 else []
        variants += [[" ".join(part[1:]) for part in parts]] if len({part[0] for part in parts}) == 1 else []
    found = (find(variant) for variant in variants for find in (_words, _degrees))
    return next((places for places in found if places is not None), None)


def _plain(text: str) -> str:
    return re.sub(r"[\s_]+", " ", text.strip().casefold().replace("-/-", "/").replace("’", "'")).strip(" .")


def _words(plain: Sequence[str]) -> list[int] | None:
    """Return the steps of texts in a scale of words."""
    spaced = [re.sub(r"\s*[-,–]\s*", " ", text) for text in plain]
    for scale in SCALES:
        steps = {word: k for k, words in enumerate(scale) for word in words}
        if all(text in steps for text in spaced):
            return [steps[text] for text in spaced]
    return None


def _degrees(plain: Sequence[str]) -> list[float] | None:
    """Return the places of degrees of one word and its opposite, such as "very unsafe", "safe" and "very safe"."""
    found = [(0.0, "") if text in MIDDLES else _degree(text) for text in plain]
    words = {word for _, word in found if word}
    base = min(words, key=len, default="")
    opposite = {prefix + base for prefix in OPPOSITES}
    if not words <= {base, *opposite} or not any(" " in text for text in plain if text not in MIDDLES):
        return None
    return [-strength if word in opposite else strength for strength, word in found]


def _degree(text: str) -> tuple[float, str]:
    """Return the strength of a text such as "very safe", and the word without the words of its strength."""
    if text.startswith("not ") and text.endswith(" at all"):
        text = f"not at all {text.removeprefix('not ').removesuffix(' at all')}"
    if negation := next((word for word in NOTS if text.startswith(f"{word} ")), ""):
        return (-1.0 if negation in ("not", "nicht") else -2.0), text.removeprefix(f"{negation} ")
    strength = next((word for word in STRENGTHS if text.startswith(f"{word} ")), "")
    return STRENGTHS.get(strength, 1.0), text.removeprefix(f"{strength} ") if strength else text


def _numbered(plain: Sequence[str]) -> list[int] | None:
    """Return the numbers of texts such as ``1 - low``, ``2: medium``, ``3_high`` or ``4``, without a gap."""
    found = [re.match(r"\(?([0-9]{1,2})(?:$|(?:\s*[-–:=.)]+\s*|\s)[(<>≤≥=]*\s*[^\W\d])", text) for text in plain]
    if not all(found) or all(text.isdecimal() for text in plain):
        return None
    numbers = [int(one.group(1)) for one in found]
    return numbers if max(numbers) - min(numbers) == len(numbers) - 1 else None


def _bands(plain: Sequence[str]) -> list[float] | None:
    """Return the lower ends of bands of numbers that do not overlap, such as ``<18``, ``18-24`` and ``65+``."""
    ends = [_ends(UNITS.sub("", text)) for text in plain]
    units = {found.group(1) for text in plain if (found := UNIT.search(text))}
    if len(units) == 1 and any(end is None for end in ends):
        ends = [_ends(UNIT.sub("", text)) for text in plain]
    if any(end is None for end in ends) or not any(low < high for low, high in ends):
        return None
    order = sorted(range(len(ends)), key=lambda k: ends[k])
    if any(ends[a][1] > ends[b][0] for a, b in zip(order, order[1:], strict=False)):
        return None
    return [order.index(k) for k in range(len(ends))]


def _ends(text: str) -> tuple[float, float] | None:
    text = text.strip()
    if band := BAND.match(text):
        low, high = (_number(part) for part in band.groups())
        return (low, high) if low <= high else None
    for pattern, is_upper in ((BELOW, True), (BELOW_AFTER, True), (ABOVE, False), (ABOVE_AFTER, False)):
        if one := pattern.match(text):
            number = _number(one.group(1))
            return (-np.inf, number) if is_upper else (number, np.inf)
    if re.fullmatch(NUMBER, text):
        return _number(text), _number(text)
    return None


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def _stems(plain: Sequence[str], *, nominal: bool) -> list[int] | None:
    """Return the numbers of texts such as ``stage II`` or ``grade 3``, or of Roman numerals alone unless `nominal`.

    A letter may follow a numeral, as in ``IIa``.
    """
    numerals = [STAGE.fullmatch(text) for text in plain]
    if all(numerals):
        return (
            None if nominal else [10 * ROMAN[one.group(1)] + "abcd".find(one.group(2) or "-") + 1 for one in numerals]
        )
    found = [re.match(r"([a-zäöüß]+?)[ .]*([0-9]{1,2}|[ivx]+)$", text) for text in plain]
    if not all(found) or len({one.group(1) for one in found}) > 1 or found[0].group(1) not in STEMS:
        return None
    ends = [one.group(2) for one in found]
    if any(not end.isdecimal() and end not in ROMAN for end in ends):
        return None
    return [int(end) if end.isdecimal() else ROMAN[end] for end in ends]


def _codes(plain: Sequence[str], *, named: bool) -> list[float] | None:
    """Return consecutive whole numbers from 0 or 1; three or four of them are a scale only if `named`."""
    if not all(re.fullmatch(r"[0-9]{1,2}(?:\.0+)?", text) for text in plain):
        return None
    numbers = [int(float(text)) for text in plain]
    whole = min(numbers) <= 1 and max(numbers) - min(numbers) == len(numbers) - 1
    return numbers if whole and (named or len(numbers) >= MIN_CODES) else None


def _letters(plain: Sequence[str]) -> list[float] | None:
    """Return a number for each school grade that grows from F to A; a minus lowers it and a plus raises it."""
    found = [LETTERS.match(text) for text in plain]
    if not all(found):
        return None
    return [-3 * (ord(one.group(1)) - ord("a")) + {"-": -1, "": 0, "+": 1}[one.group(2)] for one in found]
