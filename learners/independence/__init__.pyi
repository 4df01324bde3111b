"""Names of `learners.independence` and their modules; `__init__.py` reads this file."""

from .basis_test import BasisTest
from .ci_test import CIResult, CITest
from .degenerate_gaussian import DegenerateGaussian
from .dependence import DependenceOracle, DependencePosterior
from .fisher_z import FisherZ
from .g2 import G2
from .gaussian_information import GaussianInformation
from .information import InformationOracle, InformationTest, MutualInformation
from .oracle import DSeparation
from .ordered_g2 import OrderedG2
from .permutation_and_x2 import PearsonX2, PermutationG2, ShrinkageMI
from .regression import Regression
from .resampled_gaussian import ResampledGaussian
from .set_search import BatchSearch, LevelSearch, NewSetSearch, Pools, PoolSearch, SetSearch
from .tested_dependence import TestedDependence

__all__ = [
    "BatchSearch",
    "CIResult",
    "CITest",
    "DSeparation",
    "BasisTest",
    "DegenerateGaussian",
    "DependenceOracle",
    "DependencePosterior",
    "FisherZ",
    "G2",
    "GaussianInformation",
    "InformationOracle",
    "InformationTest",
    "LevelSearch",
    "MutualInformation",
    "NewSetSearch",
    "OrderedG2",
    "PearsonX2",
    "PermutationG2",
    "PoolSearch",
    "Pools",
    "Regression",
    "ResampledGaussian",
    "SetSearch",
    "ShrinkageMI",
    "TestedDependence",
]
