"""Tests of conditional independence, each bound to its data."""

from .base import CIResult, CITest
from .degenerate import DegenerateGaussian
from .dependence import DependenceOracle, DependencePosterior
from .fisher_z import FisherZ
from .g2 import G2
from .information import InformationOracle, InformationTest, MutualInformation
from .oracle import DSeparation
from .pools import Pools
from .regression import Regression
from .resampling import PermutationG2, ShrinkageMI
from .walks import Batch, LevelWalks, NewSetWalks, PoolWalks, Walks

__all__ = [
    "G2",
    "Batch",
    "CIResult",
    "CITest",
    "DSeparation",
    "DegenerateGaussian",
    "DependenceOracle",
    "DependencePosterior",
    "FisherZ",
    "InformationOracle",
    "InformationTest",
    "LevelWalks",
    "MutualInformation",
    "NewSetWalks",
    "PermutationG2",
    "PoolWalks",
    "Pools",
    "Regression",
    "ShrinkageMI",
    "Walks",
]
