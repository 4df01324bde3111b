"""Edgewise's library: structure learning of Bayesian networks, without a screen.

>>> import learners
>>> child = learners.load_sample("child")
>>> learners.learn("pc", child.dataset, alpha=0.01).graph.n_edges
25
"""

from . import metrics
from .algorithms.hc import hc
from .algorithms.lmm import lmm
from .algorithms.mmhc import mmhc
from .algorithms.mmpc import mmpc
from .algorithms.path import path
from .algorithms.pc import pc
from .algorithms.phgs import phgs
from .algorithms.ppc import ppc
from .algorithms.rai import rai
from .algorithms.tabu import tabu
from .bif import read_bif, write_bif
from .dataset import Dataset
from .errors import DataError, LearnersError, ParameterError
from .graph import PDAG, consistent_extension, cpdag, dags_of_class
from .health import check_health
from .independence import G2, DependenceOracle, DependencePosterior, DSeparation, FisherZ
from .knowledge import Knowledge
from .network import DiscreteNetwork, GaussianNetwork
from .prepare import default_plan, prepare
from .registry import LEARNERS, learn
from .result import LearnResult
from .samples import NETWORKS, SAMPLES, load_network, load_sample
from .scores import BIC, BDeu, GaussianBIC
from .simulate import random_dag, random_gaussian_equations, random_gaussian_network, sample
from .tables import read_table

__all__ = [
    "BIC",
    "G2",
    "LEARNERS",
    "NETWORKS",
    "PDAG",
    "SAMPLES",
    "BDeu",
    "DSeparation",
    "DataError",
    "Dataset",
    "DependenceOracle",
    "DependencePosterior",
    "DiscreteNetwork",
    "FisherZ",
    "GaussianBIC",
    "GaussianNetwork",
    "Knowledge",
    "LearnResult",
    "LearnersError",
    "ParameterError",
    "check_health",
    "consistent_extension",
    "cpdag",
    "dags_of_class",
    "default_plan",
    "hc",
    "learn",
    "lmm",
    "load_network",
    "load_sample",
    "metrics",
    "mmhc",
    "mmpc",
    "path",
    "pc",
    "phgs",
    "ppc",
    "prepare",
    "rai",
    "random_dag",
    "random_gaussian_equations",
    "random_gaussian_network",
    "read_bif",
    "read_table",
    "sample",
    "tabu",
    "write_bif",
]
