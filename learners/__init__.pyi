"""Names of the library and the modules that define them; `__init__.py` reads this file."""

from .choosing.recommendation import Recommendation, recommend
from .choosing.suited_test import SuitedTest, suited_test
from .choosing.trial import Trial, trial
from .common.errors import DataError, LearnersError, ParameterError
from .common.version import __version__
from .completion.completed import with_completion
from .data.dataset import Dataset
from .data.plan.plan import default_plan
from .data.plan.plan_file import read_plan, write_plan
from .data.plan.preparation import prepare
from .data.quality.fixes import with_proposals
from .data.quality.health import check_health
from .data.reading.table import read_table
from .effects.adjustment import adjustment_sets
from .effects.estimates import adjusted_effect
from .effects.front_door import front_door_effect, front_door_sets
from .effects.ida import possible_effects
from .effects.implications import check_implications
from .effects.instruments import instruments
from .effects.interventions import intervene
from .effects.paths import separation
from .estimator import StructureLearner
from .evaluation import metrics
from .evaluation.calibrated_probabilities import calibrated_probabilities
from .evaluation.posterior import Posterior
from .explaining.explanation import explanation
from .families.averaging.best_classes import best_classes
from .families.averaging.bootstrap import bootstrap
from .families.averaging.dag_sampling import order_posterior, sample_dags
from .families.averaging.exact_posterior import exact_posterior
from .families.averaging.order_mcmc import order_mcmc
from .families.brai.rai import rai
from .families.cimap.aracne import aracne
from .families.cimap.pc_mi import pc_mi
from .families.constraint_based.fast_iamb import fast_iamb
from .families.constraint_based.gs import gs
from .families.constraint_based.mmpc import mmpc
from .families.constraint_based.pc import pc
from .families.constraint_based.si_hiton_pc import si_hiton_pc
from .families.h2pc.hpc import hpc
from .families.h2pc.hpc_target import hpc_target
from .families.hybrid.mmhc import mmhc
from .families.latent.boss_fci import boss_fci
from .families.latent.fci import fci
from .families.latent.mag_search import MAGFound, mag_from_dag, mag_search
from .families.phgs.arges import arges
from .families.phgs.gsc import gsc
from .families.phgs.path import path
from .families.phgs.ppc import ppc
from .families.score_based.boss import boss
from .families.score_based.ges import ges
from .families.score_based.hc import hc
from .families.score_based.sca import sca
from .families.score_based.score_path import score_path
from .families.score_based.tabu import tabu
from .graphs.consistent_extension import consistent_extension
from .graphs.cpdag import cpdag
from .graphs.equivalence_class import dags_of_class
from .graphs.graph import PDAG
from .graphs.knowledge import Knowledge
from .graphs.mag import canonical_dag, mag_of_dag, pag_of_mag
from .graphs.pag import PAG
from .independence import (
    G2,
    BasisTest,
    DegenerateGaussian,
    DependenceOracle,
    DependencePosterior,
    DSeparation,
    FisherZ,
    GaussianInformation,
    MutualInformation,
    OrderedG2,
    PearsonX2,
    PermutationG2,
    Regression,
    ResampledGaussian,
    ShrinkageMI,
    TestedDependence,
)
from .io.bif import read_bif, write_bif
from .io.network_files import NETWORK_FORMATS, read_network, write_network
from .io.packages import from_package
from .io.samples import NETWORKS, SAMPLES, load_network, load_sample
from .networks.draft import Draft
from .networks.fitting import fit
from .networks.missing_cells import with_missing_cells
from .networks.mixed_network import MixedNetwork, random_mixed_network
from .networks.network import DiscreteNetwork, GaussianNetwork
from .networks.network_builder import build_network
from .networks.random_networks import (
    random_dag,
    random_gaussian_equations,
    random_gaussian_network,
    random_modular_network,
)
from .networks.regression_network import RegressionNetwork
from .networks.sampling import permute_columns, sample
from .networks.state_merging import merge_states, without_impossible_states
from .networks.tiling import tile, tile_networks
from .recipes.comparison import compare
from .recipes.recipe import Recipe, read_recipe, recipe_of, write_recipe
from .recipes.replay_file import replay
from .recipes.rerun import rerun
from .registry import LEARNERS, calibrate, learn
from .results.result import LearnResult
from .scores import BIC, BasisBIC, BDeu, BGe, DegenerateBIC, GaussianBIC
from .sweeping.causes import causes
from .sweeping.priors import PriorDifference, under_priors
from .sweeping.sweep import Sweep, SweepOfTwo, sweep, sweep_two, swept
from .sweeping.tables import sweep_tables
from .teaching.quiz.quiz import questions
from .verdict.agreed import agreed
from .verdict.assumptions import check_assumptions
from .verdict.noise_directions import directions_by_noise
from .verdict.trust import trust

__all__ = [
    "BDeu",
    "BGe",
    "BIC",
    "DSeparation",
    "DataError",
    "Dataset",
    "BasisBIC",
    "BasisTest",
    "DegenerateBIC",
    "DegenerateGaussian",
    "DependenceOracle",
    "DependencePosterior",
    "DiscreteNetwork",
    "Draft",
    "FisherZ",
    "G2",
    "GaussianBIC",
    "GaussianInformation",
    "GaussianNetwork",
    "Knowledge",
    "LEARNERS",
    "LearnResult",
    "LearnersError",
    "MAGFound",
    "MixedNetwork",
    "MutualInformation",
    "NETWORKS",
    "NETWORK_FORMATS",
    "OrderedG2",
    "PAG",
    "PDAG",
    "ParameterError",
    "PearsonX2",
    "PermutationG2",
    "Posterior",
    "PriorDifference",
    "Recipe",
    "Recommendation",
    "Regression",
    "RegressionNetwork",
    "ResampledGaussian",
    "SAMPLES",
    "ShrinkageMI",
    "StructureLearner",
    "SuitedTest",
    "Sweep",
    "SweepOfTwo",
    "TestedDependence",
    "Trial",
    "__version__",
    "adjusted_effect",
    "adjustment_sets",
    "agreed",
    "aracne",
    "arges",
    "best_classes",
    "bootstrap",
    "boss",
    "boss_fci",
    "build_network",
    "calibrate",
    "calibrated_probabilities",
    "canonical_dag",
    "causes",
    "check_assumptions",
    "check_health",
    "check_implications",
    "compare",
    "consistent_extension",
    "cpdag",
    "dags_of_class",
    "default_plan",
    "directions_by_noise",
    "exact_posterior",
    "explanation",
    "fast_iamb",
    "fci",
    "fit",
    "from_package",
    "front_door_effect",
    "front_door_sets",
    "ges",
    "gs",
    "gsc",
    "hc",
    "hpc",
    "hpc_target",
    "instruments",
    "intervene",
    "learn",
    "load_network",
    "load_sample",
    "mag_from_dag",
    "mag_of_dag",
    "mag_search",
    "merge_states",
    "metrics",
    "mmhc",
    "mmpc",
    "order_mcmc",
    "order_posterior",
    "pag_of_mag",
    "path",
    "pc",
    "pc_mi",
    "permute_columns",
    "possible_effects",
    "ppc",
    "prepare",
    "questions",
    "rai",
    "random_dag",
    "random_gaussian_equations",
    "random_gaussian_network",
    "random_mixed_network",
    "random_modular_network",
    "read_bif",
    "read_network",
    "read_plan",
    "read_recipe",
    "read_table",
    "recipe_of",
    "recommend",
    "replay",
    "rerun",
    "sample",
    "sample_dags",
    "sca",
    "score_path",
    "separation",
    "si_hiton_pc",
    "suited_test",
    "sweep",
    "sweep_tables",
    "sweep_two",
    "swept",
    "tabu",
    "tile",
    "tile_networks",
    "trial",
    "trust",
    "under_priors",
    "with_completion",
    "with_missing_cells",
    "with_proposals",
    "without_impossible_states",
    "write_bif",
    "write_network",
    "write_plan",
    "write_recipe",
]
