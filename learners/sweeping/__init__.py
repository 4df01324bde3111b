"""A learner at many values of one of its parameters, and what can be read off the graphs along them."""

from .changes import Changes, changes
from .curves import Curve, Judge, held_out_curve
from .plateaus import Plateau, longest_plateau, plateaus
from .survival import Survival, survival
from .sweep import Sweep, sweep, swept
from .values import sweep_values

__all__ = [
    "Changes",
    "Curve",
    "Judge",
    "Plateau",
    "Survival",
    "Sweep",
    "changes",
    "held_out_curve",
    "longest_plateau",
    "plateaus",
    "survival",
    "sweep",
    "sweep_values",
    "swept",
]
