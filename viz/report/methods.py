"""Two paragraphs for the methods section of a paper, with the publications to cite as BibTeX."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

from learners.common.sentences import Count, Listed, Quoted, Value, columns_of, percent, phrase, say
from learners.common.version import __version__
from learners.data.plan.data_use import use_of
from learners.data.plan.preparation import describe_missing_cells
from learners.explaining.support import directed_graph
from learners.graphs.pag import PAG
from learners.registry import LEARNERS
from learners.results.directions import SURE_SHARE, Support
from learners.scores.selection import MANY_VARIABLES, is_extended
from learners.settings.parameter import Parameter
from learners.verdict.assumptions import check_assumptions
from learners.verdict.trust import SURE

from ..kinds import chosen
from ..labels import within_sentence, without_value
from ..language import Language
from ..text import as_sentence
from ..verdicts import well_supported
from .of_data import codes_read_as_missing, columns_left_out, missing_sentence, reasons_of
from .of_method import is_automatic, part_of_source, setting
from .subject import Subject

BIBLIOGRAPHY = Path(__file__).parent / "bibliography.bib"
UMLAUT = re.compile(r"\{\\\"(\w)\}")  # of BibTeX, such as {\"o}
# Publications of the learners that have entries in the bibliography.
CITED: Mapping[str, tuple[str, ...]] = {
    "pc": ("colombo2014", "spirtes2000"),
    "mmpc": ("tsamardinos2006",),
    "gs": ("margaritis2003",),
    "fast_iamb": ("yaramakala2005",),
    "si_hiton_pc": ("aliferis2010",),
    "hc": ("heckerman1995",),
    "tabu": ("bouckaert1995",),
    "ges": ("chickering2002", "hauser2012"),
    "boss": ("andrews2023", "wienobst2026"),
    "score_path": ("chickering2002",),
    "sca": ("friedman1999candidate",),
    "mmhc": ("tsamardinos2006",),
    "fci": ("spirtes1999", "zhang2008"),
    "boss_fci": ("ogarrio2016",),
    "mag_search": ("drton2009", "triantafillou2016"),
    "lmm": ("mahdi2013",),
    "ppc": ("huang2022",),
    "path": ("huang2022",),
    "phgs": ("huang2022",),
    "gsc": ("huang2022", "friedman1999candidate"),
    "arges": ("nandy2018", "huang2022"),
    "cimap": ("bacciu2013",),
    "pc_mi": ("bacciu2013",),
    "aracne": ("margolin2006",),
    "rai": ("yehezkel2009",),
    "brai": ("rohekar2018",),
    "hpc": ("gasse2012",),
    "hpc_target": ("gasse2012",),
    "h2pc": ("gasse2012",),
    "order_mcmc": ("friedman2003", "kuipers2017"),
    "exact_posterior": ("koivisto2004", "koivisto2006"),
    "bootstrap": ("friedman1999bootstrap",),
}
OF_SETTINGS = ("foygel2010", "friedman1998", "schwarz1978")  # publications that only reasons of settings name


def methods_text(subject: Subject) -> str:
    """Return a paragraph on the data and one on the method, each number from the run or its recipe."""
    return f"{_data(subject)}\n\n{_method(subject)}"


def bibtex(subject: Subject) -> str:
    """Return the entries of the learner, of a repeated learner, of other publications in the text, and of this program.

    A publication that only the reason of a setting names has an entry if the bibliography has one.
    """
    keys = [subject.result.method, subject.result.params.get("base", "")]
    cited = [_entries()[one] for key in keys for one in CITED.get(key, ())]
    text = methods_text(subject)
    cited += [entry for entry in _entries().values() if _names(text, entry)]
    own = f"@software{{edgewise, title = {{Edgewise}}, version = {{{__version__}}}}}"
    return "\n".join([*dict.fromkeys(cited), own]) + "\n"


@cache
def _entries() -> dict[str, str]:
    """Return the entries of the bibliography, which has one per line, by key."""
    lines = BIBLIOGRAPHY.read_text(encoding="utf-8").splitlines()
    return {re.match(r"@\w+\{(\w+),", line)[1]: line for line in lines if line}


def _names(text: str, entry: str) -> bool:
    """Return True if a text cites a publication as "A (2020)", "A and B (2020)", "A, B and C (2020)" or "A et al."."""
    authors, year = re.search(r"author = \{(.*?)\}, title", entry)[1], re.search(r"year = \{(\d+)", entry)[1]
    plain = unicodedata.normalize("NFC", UMLAUT.sub("\\1\u0308", authors))
    surnames = [re.escape(author.partition(",")[0]) for author in plain.split(" and ")]
    both = r" (?:and|und) "
    whole = both.join([", ".join(surnames[:-1]), surnames[-1]]) if len(surnames) > 1 else surnames[0]
    return re.search(rf"\b(?:{whole}|{surnames[0]} et al\.) \(?{year}\b", text) is not None


def _data(subject: Subject) -> str:
    data, result = subject.dataset, subject.result
    use = result.use or use_of(data, subject.table, subject.plan)
    kinds = Counter(data.kinds)
    t, written = subject.language.t, subject.language.written
    sentences = [
        t("The data are the table {table}.", table=subject.name),
        written(phrase("The analysis {uses}.", uses=use.sentence)),
    ]
    if left_out := columns_left_out(subject):
        sentences.append(written(phrase("Not used: {columns}.", columns=columns_of(left_out))))
        sentences += reasons_of(subject, left_out)
    if codes := codes_read_as_missing(subject):
        sentences.append(written(phrase("Treated as missing: {codes}.", codes=Quoted(codes))))
    if len(kinds) > 1:
        types = Listed([say("{n} " + kind, n=n) for kind, n in sorted(kinds.items())], " and ")
        sentences.append(t("Variables by type: {types}.", types=types))
    else:
        sentences.append(t("All variables are {kind}.", kind=t(data.kind)))
    if subject.plan is not None and not data.complete and result.completed is None:
        sentences.append(missing_sentence(subject))
    if result.completed is not None:
        sentences.append(written(result.completed.treatment))
    # The sentences on the use of the table and on imputation state the missing cells already.
    notes = [note for note in subject.notes if data.complete or note != describe_missing_cells(data)]
    sentences += [written(as_sentence(subject.redact(note))) for note in notes]
    return " ".join(sentences)


def _method(subject: Subject) -> str:
    learner, t = LEARNERS[subject.result.method], subject.language.t
    programs = {"version": __version__, "numpy": version("numpy"), "numba": version("numba")}
    sentences = [
        t("The structure was learned with {learner} [{paper}].", learner=t(learner.label), paper=learner.paper),
        t("It is implemented in Edgewise {version}, with NumPy {numpy} and Numba {numba}.", **programs),
        _settings(subject),
        *_chosen(subject),
        *_knowledge(subject),
        *_outcome(subject),
    ]
    sentences += _checks(subject)
    if subject.recipe is not None:
        digests = {"table": subject.recipe.table.sha256[:16], "graph": subject.recipe.result.graph[:16]}
        sentences.append(
            t("A recipe repeats the run (SHA-256 of the table {table}…, of the graph {graph}…).", **digests)
        )
    return " ".join(sentences)


def _settings(subject: Subject) -> str:
    """State the settings with their reasons: first those that differ from the defaults."""
    params, learner, language = subject.result.params, LEARNERS[subject.result.method], subject.language
    t = language.t
    used = [one for one in learner.parameters_for(subject.dataset.kind) if one.name in params and one.counts(params)]
    values = {one.name: f"{_within(one, language)}: {_value(one, subject)}" for one in used}
    if not used:
        return t("The learner has no settings.")
    named, rest = [], []
    for one in used:
        if params[one.name] == one.default:
            reason = "" if is_automatic(one, params) else f" ({_source(one, language)})"
            rest.append(values[one.name] + reason)
        else:  # only the author knows why
            usual = setting(one, one.default, language)
            named.append(t("{setting} (default {value}; [state your reason])", setting=values[one.name], value=usual))
    if not named:
        return t("All settings had their defaults: {settings}.", settings="; ".join(rest))
    sentence = t("Settings: {settings}.", settings="; ".join(named))
    others = [t("All other settings had their defaults: {settings}.", settings="; ".join(rest))] if rest else []
    return " ".join([sentence, *others])


def _value(one: Parameter, subject: Subject) -> str:
    """Write the value of a setting; of an automatic score, which one the run used."""
    result, language = subject.result, subject.language
    if not is_automatic(one, result.params):
        return setting(one, result.params[one.name], language)
    template = "BIC, the automatic choice up to {p} variables (Schwarz 1978)"
    if is_extended("auto", len(result.names)):
        template = "extended BIC, the automatic choice for more than {p} variables (Foygel and Drton 2010)"
    return language.t(template, p=MANY_VARIABLES - 1)


def _source(one: Parameter, language: Language) -> str:
    """Return the publication behind a default; those of this project are called so, without their experiments."""
    if not _is_ours(one.source):
        value = setting(one, one.default, language).removesuffix(f" {language.t(one.unit)}" if one.unit else "")
        return without_value(value, language.t(one.source))
    # A source such as "BIC: Schwarz (1978); ranks: our choice" has a part for each choice.
    own = part_of_source(one.source, one.word(one.default)) if one.choices else ""
    if not own or _is_ours(own):
        return language.t("a choice of Edgewise")
    return part_of_source(language.t(one.source), language.t(one.word(one.default))) or own


def _is_ours(source: str) -> bool:
    return "our choice" in source or "benchmarks/" in source


def _checks(subject: Subject) -> list[str]:
    """State which assumptions were checked on the data, and what was found."""
    language = subject.language
    found = check_assumptions(subject.dataset, subject.result)
    sentences = [language.written(as_sentence(one)) for one in found.sentences(subject.result.names)]
    if "continuous" in subject.dataset.kinds and found.holds and not found.skipped:
        sentences.append(
            language.t("Checks of the numeric columns found no curved relation and none that changes along the rows.")
        )
        if not found.unread:
            sentences.append(language.t("They found no sign of hidden common causes, which does not exclude them."))
    return sentences


def _within(one: Parameter, language: Language) -> str:
    """Return the label of a parameter as it is written within a sentence; German nouns keep their capitals."""
    return within_sentence(one.label) if language.code == "en" else language.t(one.label)


def _chosen(subject: Subject) -> list[str]:
    """State the automatic choices that settings requested, if there are any."""
    sentence = chosen(subject.result)
    return [] if sentence is None else [subject.language.written(sentence)]


def _knowledge(subject: Subject) -> list[str]:
    known, t = subject.knowledge, subject.language.t
    if not known:
        return []
    parts: list[Value] = []
    if known.required:
        parts.append(Count(len(known.required), "required edge"))
    if known.forbidden:
        parts.append(Count(len(known.forbidden), "forbidden edge"))
    if known.tiers:
        parts.append(say("{variables} ordered in tiers", variables=Count(len(known.tiers), "variable")))
    return [t("Background knowledge: {parts}.", parts=Listed(parts))]


def _verdict(subject: Subject) -> list[str]:
    """State how many arrows the reliability check supports, if the user asked for it, and why it is more careful."""
    found, t = subject.trust, subject.language.t
    if found is None or found.silent:
        return []
    arrows, n = Count(len(subject.result.graph.directed_edges()), "arrow"), well_supported(found, subject.result)
    template = (
        "Allowing for hidden common causes and chance, {n} of {arrows} are well supported as causes (P ≥ {sure})."
    )
    if n == 1:
        template = (
            "Allowing for hidden common causes and chance, {n} of {arrows} is well supported as a cause (P ≥ {sure})."
        )
    sentences = [t(template, n=n, arrows=arrows, sure=str(SURE))]
    sentences.append(
        t(
            "P comes from graphs that several methods learned from {k} bootstrap samples. It was calibrated on "
            "simulated tables.",
            k=found.n_resamples,
        )
    )
    if 0 < found.rows_seen < subject.dataset.n:
        rows = Count(found.rows_seen, "row")
        sentences.append(t("Because of missing cells, P counts the table as {rows}.", rows=rows))
    return sentences


def _outcome(subject: Subject) -> list[str]:
    result, graph = subject.result, subject.result.graph
    arrows = len(directed_graph(result).directed_edges())
    t, edges = subject.language.t, Count(graph.n_edges, "edge")
    sentences = [] if result.complete else [t("The run was stopped early; this is its partial result.")]
    if isinstance(graph, PAG):
        template = "The learned PAG has {edges}, none of which can be read as causal."
        if arrows:
            template = (
                "The learned PAG has {edges}. {n} of them can be read as causal. This holds only if the tests are "
                "right and no row was selected by its values."
            )
        return [*sentences, t(template, edges=edges, n=arrows)]
    strong = sum(one.support is Support.CLEAR for one in result.directions.values())
    sentences.append(t("The learned graph has {edges}, {n} of them directed.", edges=edges, n=arrows))
    if arrows and any(one.is_of_resamples for one in result.directions.values()):
        limit = percent(SURE_SHARE)
        template = (
            "{n} of these directions are stable: at least {limit} of the resamples have the edge, and at least {limit} "
            "of these its direction."
        )
        if strong == 1:
            template = (
                "{n} of these directions is stable: at least {limit} of the resamples have the edge, and at least "
                "{limit} of these its direction."
            )
        sentences += [t(template, n=strong, limit=limit), *_verdict(subject)]
    elif arrows:
        sentences.append(
            t(
                "If the model is right and there are no hidden common causes, the data support {n} of these "
                "directions strongly.",
                n=strong,
            )
        )
        sentences += _verdict(subject)
    return sentences
