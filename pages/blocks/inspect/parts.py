"""What only some runs have, below the picture. Another kind of run joins with one line of `KINDS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from learners.results.result import LearnResult
from pages.blocks.inspect import brai, cimap, lmm, partition, path
from pages.session.state import Run
from viz.averaging.words import has_probabilities, is_autonomous, is_brai
from viz.cimap.words import is_cimap
from viz.lmm.words import is_lmm
from viz.phgs.groups import partitioned
from viz.phgs.words import has_path

Parts = Mapping[str, Callable[[Run], None]]

# Name, which results have the parts, and the parts themselves by their label; a result may be of several kinds.
KINDS: tuple[tuple[str, Callable[[LearnResult], bool], Callable[[Run], Parts]], ...] = (
    ("lmm", is_lmm, lmm.parts),
    ("path", has_path, lambda _run: path.PARTS),
    ("cimap", is_cimap, lambda _run: cimap.PARTS),
    ("brai", is_brai, brai.parts),
    ("rai", lambda result: is_autonomous(result) and not is_brai(result), brai.parts),
    ("bootstrap", lambda result: has_probabilities(result) and not is_brai(result), brai.parts),
    ("partition", lambda result: partitioned(result) is not None, lambda _run: partition.PARTS),
)


def show_parts(run: Run) -> None:
    """One of the parts of this run's kinds at a time."""
    kinds = [(name, parts) for name, belongs, parts in KINDS if belongs(run.result)]
    if not kinds:
        return
    shows = {label: show for _, parts in kinds for label, show in parts(run).items()}
    part = st.segmented_control(
        "More of this run", list(shows), default=next(iter(shows)), required=True, key=f"inspect_{kinds[0][0]}_part",
        persist_state="session", label_visibility="collapsed",
    )  # fmt: skip
    shows.get(part, next(iter(shows.values())))(run)
