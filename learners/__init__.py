"""Edgewise's library: structure learning of Bayesian networks, without a screen.

>>> import learners
>>> child = learners.load_sample("child")
>>> learners.learn("pc", child.dataset, alpha=0.01).graph.n_edges
25
"""

from . import metrics
from .algorithms.aracne import aracne
from .algorithms.arges import arges
from .algorithms.bootstrap import bootstrap
from .algorithms.brai import brai
from .algorithms.cimap import cimap
from .algorithms.dag_sampling import order_posterior, sample_dags
from .algorithms.exact import best_classes
from .algorithms.fast_iamb import fast_iamb
from .algorithms.ges import ges
from .algorithms.gsc import gsc
from .algorithms.h2pc import h2pc
from .algorithms.hc import hc
from .algorithms.hpc import hpc
from .algorithms.hpc_target import hpc_target
from .algorithms.lmm import lmm
from .algorithms.mmhc import mmhc
from .algorithms.mmpc import mmpc
from .algorithms.path import path
from .algorithms.pc import pc
from .algorithms.pc_mi import pc_mi
from .algorithms.phgs import phgs
from .algorithms.posterior import Posterior
from .algorithms.ppc import ppc
from .algorithms.rai import rai
from .algorithms.sca import sca
from .algorithms.si_hiton_pc import si_hiton_pc
from .algorithms.tabu import tabu
from .bif import read_bif, write_bif
from .dataset import Dataset
from .errors import DataError, LearnersError, ParameterError
from .graph import PDAG, consistent_extension, cpdag, dags_of_class
from .health import check_health
from .independence import (
    G2,
    DependenceOracle,
    DependencePosterior,
    DSeparation,
    FisherZ,
    MutualInformation,
    PermutationG2,
    ShrinkageMI,
)
from .knowledge import Knowledge
from .network import DiscreteNetwork, GaussianNetwork
from .prepare import default_plan, prepare
from .registry import LEARNERS, learn
from .result import LearnResult
from .samples import NETWORKS, SAMPLES, load_network, load_sample
from .scores import BIC, BDeu, GaussianBIC
from .simulate import (
    permute_columns,
    random_dag,
    random_gaussian_equations,
    random_gaussian_network,
    random_modular_network,
    sample,
)
from .states import merge_states, without_impossible_states
from .tables import read_table
from .tiling import tile, tile_networks

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
    "MutualInformation",
    "ParameterError",
    "Posterior",
    "PermutationG2",
    "ShrinkageMI",
    "aracne",
    "arges",
    "best_classes",
    "bootstrap",
    "brai",
    "check_health",
    "cimap",
    "consistent_extension",
    "cpdag",
    "dags_of_class",
    "default_plan",
    "fast_iamb",
    "ges",
    "gsc",
    "h2pc",
    "hc",
    "hpc",
    "hpc_target",
    "learn",
    "lmm",
    "load_network",
    "load_sample",
    "merge_states",
    "metrics",
    "mmhc",
    "mmpc",
    "order_posterior",
    "path",
    "pc",
    "permute_columns",
    "pc_mi",
    "phgs",
    "ppc",
    "prepare",
    "rai",
    "random_dag",
    "random_gaussian_equations",
    "random_gaussian_network",
    "random_modular_network",
    "read_bif",
    "read_table",
    "sample",
    "sample_dags",
    "si_hiton_pc",
    "sca",
    "tabu",
    "tile",
    "tile_networks",
    "without_impossible_states",
    "write_bif",
]
