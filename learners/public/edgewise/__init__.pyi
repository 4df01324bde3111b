"""The public names and the modules that define them; `__init__.py` reads this file."""

from learners.choosing.recommendation import Recommendation, recommend
from learners.choosing.suited_test import SuitedTest, suited_test
from learners.choosing.trial import Trial, trial
from learners.common.errors import DataError, LearnersError, ParameterError
from learners.common.version import __version__
from learners.data.dataset import Dataset
from learners.data.plan.plan import default_plan
from learners.data.plan.plan_file import read_plan, write_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.fixes import with_proposals
from learners.data.quality.health import check_health
from learners.data.reading.table import read_table
from learners.effects.adjustment import adjustment_sets
from learners.effects.estimates import adjusted_effect
from learners.effects.ida import possible_effects
from learners.effects.interventions import intervene
from learners.effects.paths import separation
from learners.estimator import StructureLearner
from learners.evaluation import metrics
from learners.explaining.explanation import explanation
from learners.explaining.explanation_record import Explanation
from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.cpdag import cpdag
from learners.graphs.equivalence_class import dags_of_class
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import Knowledge
from learners.io.network_files import read_network, write_network
from learners.io.packages import from_package
from learners.io.samples import NETWORKS, SAMPLES, load_network, load_sample
from learners.networks.fitting import fit
from learners.networks.network import DiscreteNetwork, GaussianNetwork
from learners.networks.random_networks import random_dag, random_gaussian_network
from learners.networks.sampling import sample
from learners.recipes.comparison import compare
from learners.recipes.recipe import read_recipe, recipe_of, write_recipe
from learners.recipes.replay_file import replay
from learners.recipes.rerun import rerun
from learners.registry import LEARNERS, calibrate, learn
from learners.results.result import LearnResult
from learners.sweeping.sweep import sweep
from learners.verdict.assumptions import check_assumptions
from learners.verdict.noise_directions import directions_by_noise
from learners.verdict.trust import Trust, trust

__all__ = [
    "DataError",
    "Dataset",
    "DiscreteNetwork",
    "Explanation",
    "GaussianNetwork",
    "Knowledge",
    "LEARNERS",
    "LearnResult",
    "LearnersError",
    "NETWORKS",
    "PDAG",
    "ParameterError",
    "Recommendation",
    "SAMPLES",
    "StructureLearner",
    "SuitedTest",
    "Trial",
    "Trust",
    "__version__",
    "adjusted_effect",
    "adjustment_sets",
    "calibrate",
    "check_assumptions",
    "check_health",
    "compare",
    "consistent_extension",
    "cpdag",
    "dags_of_class",
    "default_plan",
    "directions_by_noise",
    "explanation",
    "fit",
    "from_package",
    "intervene",
    "learn",
    "load_network",
    "load_sample",
    "metrics",
    "possible_effects",
    "prepare",
    "random_dag",
    "random_gaussian_network",
    "read_network",
    "read_plan",
    "read_recipe",
    "read_table",
    "recipe_of",
    "recommend",
    "replay",
    "rerun",
    "sample",
    "separation",
    "suited_test",
    "sweep",
    "trial",
    "trust",
    "with_proposals",
    "write_network",
    "write_plan",
    "write_recipe",
]
