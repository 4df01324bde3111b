"""Tests of conditional independence, each bound to its data."""

from .base import CIResult, CITest, Separation
from .fisher_z import FisherZ
from .g2 import G2
from .oracle import DSeparation
from .pools import Pools

__all__ = ["CIResult", "CITest", "DSeparation", "FisherZ", "G2", "Pools", "Separation"]
