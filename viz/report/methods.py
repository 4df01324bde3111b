"""Two paragraphs for the methods section of a paper, with the publications to cite as BibTeX."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

from learners.common.version import __version__
from learners.data.plan.data_use import use_of
from learners.explaining.support import directed_graph
from learners.graphs.pag import PAG
from learners.registry import LEARNERS
from learners.results.directions import Support
from learners.verdict.assumptions import check_assumptions

from ..labels import POLICIES, setting_text
from ..text import as_sentence, count
from .subject import Subject

BIBLIOGRAPHY = Path(__file__).parent / "bibliography.bib"
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
    "boss": ("andrews2023",),
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


def methods_text(subject: Subject) -> str:
    """Return a paragraph on the data and one on the method, each number from the run or its recipe."""
    return f"{_data(subject)}\n\n{_method(subject)}"


def bibtex(subject: Subject) -> str:
    """Return the entries of the learner's publications, of those of a repeated learner, and of this program."""
    keys = [subject.result.method, subject.result.params.get("base", "")]
    cited = [_entries()[one] for key in keys for one in CITED.get(key, ())]
    own = f"@software{{edgewise, title = {{Edgewise}}, version = {{{__version__}}}}}"
    return "\n".join([*dict.fromkeys(cited), own]) + "\n"


@cache
def _entries() -> dict[str, str]:
    """Return the entries of the bibliography, which has one per line, by key."""
    lines = BIBLIOGRAPHY.read_text(encoding="utf-8").splitlines()
    return {re.match(r"@\w+\{(\w+),", line)[1]: line for line in lines if line}


def _data(subject: Subject) -> str:
    data, result = subject.dataset, subject.result
    use = result.use or use_of(data, subject.table, subject.plan)
    kinds = Counter(data.kinds)
    types = " and ".join(f"{n:,} {kind}" for kind, n in sorted(kinds.items()))
    sentences = [
        f"The table {subject.name} has {count(use.rows_of, 'row')}; the analysis {use.sentence}.",
        f"Of the {count(data.p, 'variable')}, {types}." if len(kinds) > 1 else f"All variables are {data.kind}.",
    ]
    if subject.plan is not None and not data.complete and result.completed is None:
        sentences.append(f"Missing cells: {POLICIES[subject.plan.missing_policy]}.")
    if result.completed is not None:
        sentences.append(result.completed.sentence)
    sentences += [as_sentence(subject.redact(note)) for note in subject.notes]
    return " ".join(sentences)


def _method(subject: Subject) -> str:
    result, learner = subject.result, LEARNERS[subject.result.method]
    sentences = [
        f"The structure was learned with {learner.label} [{learner.paper}], as implemented in Edgewise {__version__} "
        f"with NumPy {version('numpy')} and Numba {version('numba')}.",
        _settings(subject),
        *_knowledge(subject),
        *_outcome(subject),
    ]
    against = check_assumptions(subject.dataset, result).sentences(result.names)
    sentences += [as_sentence(one) for one in against]
    if subject.recipe is not None:
        table, graph = subject.recipe.table.sha256, subject.recipe.result.graph
        sentences.append(f"A recipe repeats the run (SHA-256 of the table {table[:16]}…, of the graph {graph[:16]}…).")
    return " ".join(sentences)


def _settings(subject: Subject) -> str:
    """State the settings that differ from the defaults, and summarize the others."""
    params, learner = subject.result.params, LEARNERS[subject.result.method]
    used = [one for one in learner.parameters_for(subject.dataset.kind) if one.name in params and one.counts(params)]
    changed = [one for one in used if params[one.name] != one.default]
    values = {one.name: f"{_within(one.label)}: {setting_text(one, params[one.name])}" for one in used}
    if not used:
        return "The learner has no settings."
    if not changed:
        return f"All settings had their defaults ({'; '.join(values.values())})."
    named = "; ".join(f"{values[one.name]} (default {setting_text(one, one.default)})" for one in changed)
    rest = " All other settings had their defaults." if len(changed) < len(used) else ""
    return f"Settings: {named}.{rest}"


def _within(label: str) -> str:
    """Return a label as it is written within a sentence; names such as BDeu keep their capitals."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label


def _knowledge(subject: Subject) -> list[str]:
    known = subject.knowledge
    if not known:
        return []
    parts = [
        count(len(known.required), "required edge") if known.required else "",
        count(len(known.forbidden), "forbidden edge") if known.forbidden else "",
        f"an order of {count(len(known.tiers), 'variable')} in tiers" if known.tiers else "",
    ]
    return [f"Background knowledge: {', '.join(part for part in parts if part)}."]


def _outcome(subject: Subject) -> list[str]:
    result, graph = subject.result, subject.result.graph
    arrows = len(directed_graph(result).directed_edges())
    sentences = [] if result.complete else ["The run was stopped early; its result is partial."]
    if isinstance(graph, PAG):
        return [*sentences, f"The learned PAG has {count(graph.n_edges, 'edge')}, {arrows:,} of them causes."]
    strong = sum(one.support is Support.CLEAR for one in result.directions.values())
    sentences.append(f"The learned graph has {count(graph.n_edges, 'edge')}, {arrows:,} of them directed.")
    if arrows:
        sentences.append(f"The data support {strong:,} of these directions strongly.")
    return sentences
