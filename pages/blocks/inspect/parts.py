"""Parts below the picture that only some runs have; a new part needs one line in `PARTS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages.blocks.inspect import alpha_path, cimap, lmm, partition, priors, probabilities
from pages.session.state import Run
from pages.session.words import labels_of, t
from viz.kinds import kind_of

# Functions that show the parts of a run, by label; the first key is the `parts` of its kind.
PARTS: Mapping[str, Callable[[Run], Mapping[str, Callable[[Run], None]]]] = {
    "lmm": lmm.parts,
    "path": lambda _run: alpha_path.PARTS,
    "cimap": lambda _run: cimap.PARTS,
    "rai": lambda _run: probabilities.PARTS_OF_RUN,
    "brai": probabilities.parts_of_tree,
    "posterior": probabilities.parts_of_posterior,
    "bootstrap": probabilities.parts_of_resamples,
    "prior": lambda _run: priors.PARTS,
    "partition": lambda _run: partition.PARTS,
}


def show_parts(run: Run) -> None:
    """Show one of the parts of this run at a time."""
    names = kind_of(run.result).parts(run.result)
    if not names:
        return
    shows = {label: show for name in names for label, show in PARTS[name](run).items()}
    part = st.segmented_control(
        t("More of this run"),
        list(shows),
        format_func=labels_of(),
        default=next(iter(shows)),
        required=True,
        key=f"inspect_{names[0]}_part",
        persist_state="session",
        label_visibility="collapsed",
    )
    shows.get(part, next(iter(shows.values())))(run)
