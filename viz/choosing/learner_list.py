"""Learners grouped by the kind of their result, with a phrase on each, for the list on the Learn page."""

from __future__ import annotations

from learners.families.catalogue import LEARNERS
from learners.settings.learner import Learner

PROBABILITIES = "Probabilities of edges"
GROUPS: dict[str, dict[str, str]] = {
    "One graph": {
        "boss": "usually the best score",
        "ges": "equivalence class, many rows",
        "hc": "a quick DAG",
        "tabu": "hill climbing, longer search",
        "sca": "many variables, few parents",
        "mmhc": "many variables, little time",
        "h2pc": "variables with many neighbours",
        "pc": "a reason for each missing edge",
        "rai": "small samples",
        "cimap": "many levels, small samples",
        "pc_mi": "a threshold in bits",
        "gs": "small Markov blankets",
        "fast_iamb": "Markov blankets, many rows",
        "ppc": "separate groups of variables",
        "path": "a graph for each alpha",
        "phgs": "best score among tested edges",
        "arges": "GES for many variables",
        "gsc": "to compare hybrid searches",
    },
    "Hidden common causes": {
        "mag_search": "numeric data, by score",
        "boss_fci": "any table, by score and tests",
        "fci": "any table, by tests",
    },
    "Skeleton (no directions)": {
        "mmpc": "hundreds of variables",
        "si_hiton_pc": "quick neighbours",
        "hpc": "variables with many neighbours",
        "aracne": "only the strongest pairs",
    },
    "A ranking of edges": {
        "lmm": "any table",
        "score_path": "by strength of evidence",
    },
    PROBABILITIES: {
        "order_mcmc": "probabilities of edges, any table",
        "exact_posterior": "exact, up to 24 variables",
        "brai": "small samples",
        "bootstrap": "edges that recur",
    },
    "Neighbours of a target": {
        "hpc_target": "one variable to predict",
    },
}


OTHER_PACKAGES, PLUGGED_IN = "Learners of other packages", "from a plug-in"


def learner_groups() -> dict[str, dict[str, str]]:
    """Return the groups with the phrase of each learner, and a last group of learners of other packages, if any."""
    named = {key for members in GROUPS.values() for key in members}
    others = {key: PLUGGED_IN for key in LEARNERS if key not in named}
    return GROUPS | ({OTHER_PACKAGES: others} if others else {})


def matches(learner: Learner, phrase: str, group: str, search: str) -> bool:
    """Return True if all words of a search occur in the texts about a learner."""
    about = " ".join([learner.key, learner.label, learner.summary, learner.choose_if, learner.paper, learner.family])
    text = f"{about} {phrase} {group}".casefold()
    return all(word in text for word in search.casefold().split())


def listed(search: str = "") -> dict[str, dict[str, str]]:
    """Return the groups with the learners that match a search, without empty groups."""
    found = {
        group: {key: phrase for key, phrase in members.items() if matches(LEARNERS[key], phrase, group, search)}
        for group, members in learner_groups().items()
    }
    return {group: members for group, members in found.items() if members}
