"""Words in column names that distinguish keys, groups, weights and parts of dates from measurements."""

from __future__ import annotations

import re


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


KEY_WORDS = _words(
    "id ids pid uid sid idx mrn pidnum patid patno patnum subjid subjno caseid caseno recordid rowid rownum seqn",
    "identifier",
)
# Words of keys that are also words of measurements, such as "number of steps", "price index" and "NO2".
WEAK_KEY_WORDS = _words(
    "index key no nr num number nummer serial seq record row obs observation zip zipcode postcode postal plz phone tel",
    "fips",
)
GROUP_WORDS = _words(
    "id ids pid uid sid idcode subject subjects subj patient pat person individual participant proband case respondent",
    "student pupil child mother worker employee user customer client player animal mouse mice rat dog cow plant plot",
    "tree litter batch lot household hh family fam couple pair twin twins cluster group site center centre hospital",
    "clinic ward practice school classroom teacher village town city district county state province region country",
    "nation firm company business restaurant shop store hotel bank station schule klasse klinik zentrum familie",
    "haushalt land ort",
)
# Words of keys and groups that are also words of amounts, as in years of school, children, and NO for an oxide.
AMOUNT_WORDS = _words("school schule child teacher index no nr num number nummer")
# Words that may accompany the name of a key or a group, as in "school code" and "invoice number".
PLAIN_WORDS = _words(
    "code codes name label the my of unique identification study trial home visit order invoice ticket account sample",
    "lab file line contract policy member telephone reference ref registration document specimen donor work mobile",
)
ORDER_WORDS = _words("rank ranking rang order position place year yr jahr time date day week month hour")
WEIGHT_WORDS = _words("weight weights wt wts wgt wght pweight pweights pwt fweight iweight aweight gewicht gewichtung")
SURVEY_WORDS = _words(
    "pweight pweights pwt fweight iweight aweight gewichtung surveyweight sampleweight weights wts sw"
)
FEATURE_WORDS = _words(
    "gene genes geneid genename probe probes probeset feature features symbol transcript protein proteins peptide",
    "otu asv taxon taxa metabolite compound marker snp variable variables item items merkmal cpg mirna ensembl hgnc",
)
SAMPLE_WORDS = _words(
    "gsm srr err tcga sample samples patient patients subject subjects donor specimen case cases person control ctrl",
    "treat treated individual participant proband mouse replicate rep cell well array chip",
)
# Words that distinguish two measurements of one quantity, and words of the change between them.
TIME_WORDS = _words(
    "before after pre post start end begin first last initial final baseline followup follow up old new early late",
    "previous current vorher nachher vor nach anfang ende beginn alt neu t time wave visit round year yr y w",
)
CHANGE_WORDS = _words(
    "change changes chg diff difference delta gain growth increase decrease rise fall net trend",
    "differenz zuwachs zunahme abnahme",
)
DIFFERENCE_WORDS = _words("change changes chg diff difference delta differenz")
CLOCK_WORDS = {
    "year": _words("year yr yrs jahr annee anno ano yyyy"),
    "quarter": _words("quarter qtr quartal trimestre q"),
    "month": _words("month mon mo mnth mth monat mois mese mes"),
    "day": _words("day dom dy tag jour giorno dia dayofmonth"),
    "hour": _words("hour hr hh hrs stunde heure ora hora"),
}


def words_of(name: str) -> list[str]:
    """Return the words of a column name in lower case: split at case, digits and other characters."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+", name)
    return [part.lower() for part in parts]


def has_word(name: str, words: frozenset[str]) -> bool:
    """Return True if a column name contains one of the words."""
    own = words_of(name)
    return not words.isdisjoint(own) or "".join(own) in words


def names_keys(name: str) -> bool:
    """Return True if a column name is that of keys, such as "patient_id", "Row" or "invoice no"."""
    own = words_of(name)
    if has_word(name, KEY_WORDS):
        return True
    others = set(own) - WEAK_KEY_WORDS
    return len(others) < len(set(own)) and others <= GROUP_WORDS | PLAIN_WORDS and not re.search("[0-9]", name)


def names_groups(name: str) -> bool:
    """Return True if a column name is that of groups, such as "school" and "state code", but not "school size"."""
    own = set(words_of(name))
    if "".join(words_of(name)) in GROUP_WORDS:
        return True
    return bool(own & GROUP_WORDS) and own <= GROUP_WORDS | KEY_WORDS | WEAK_KEY_WORDS | PLAIN_WORDS


def may_name_amounts(name: str) -> bool:
    """Return True if all words of keys and groups in a column name are also words of amounts."""
    return set(words_of(name)) & (GROUP_WORDS | KEY_WORDS | WEAK_KEY_WORDS) <= AMOUNT_WORDS


def same_quantity(first: str, second: str) -> bool:
    """Return True if two column names are those of one quantity at two times.

    Their words must agree but for words of time, and without such words their numbers must differ: "rate85" and
    "rate90", "pain_pre" and "pain post", but not "rate" and "rate change".
    """
    one, other = _quantity(first), _quantity(second)
    return one is not None and one == other


def _quantity(name: str) -> tuple[bool, tuple[str, ...]] | None:
    """Return whether a name has words of time, and its rest; None without a time, or for the name of a change."""
    words = words_of(name)
    if not CHANGE_WORDS.isdisjoint(words):
        return None
    if not TIME_WORDS.isdisjoint(words):
        return True, tuple(word for word in words if word not in TIME_WORDS)
    rest = re.sub(r"[\W_]+", " ", re.sub("[0-9]+", "0", name.lower()))
    return (False, tuple(rest.split())) if "0" in rest else None
