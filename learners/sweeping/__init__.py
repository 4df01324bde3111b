"""Sweeps: a learner at many values of a parameter or on many tables, and comparisons of the graphs."""

from .causes import causes
from .changes import Changes, changes
from .curves import Curve, Judge, held_out_curve, held_out_likelihoods
from .links import Cause, Link
from .plateaus import Plateau, longest_plateau, plateaus
from .survival import Survival, survival
from .sweep import Sweep, SweepOfTwo, sweep, sweep_two, swept
from .tables import (
    Tables,
    fewer_rows,
    other_bins,
    placed,
    random_halves,
    sweep_tables,
    without_columns,
    without_groups,
)
from .values import sweep_values

__all__ = [
    "Cause",
    "Changes",
    "Curve",
    "Judge",
    "Link",
    "Plateau",
    "Survival",
    "Sweep",
    "SweepOfTwo",
    "Tables",
    "causes",
    "changes",
    "fewer_rows",
    "held_out_likelihoods",
    "held_out_curve",
    "longest_plateau",
    "other_bins",
    "placed",
    "plateaus",
    "random_halves",
    "survival",
    "sweep",
    "sweep_tables",
    "sweep_two",
    "sweep_values",
    "swept",
    "without_columns",
    "without_groups",
]
