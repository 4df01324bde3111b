"""Estimated and actual run time on the Learn page, for every learner on samples and simulated rows."""

from __future__ import annotations

import time

from learners import learn
from learners.choosing.duration_corrections import Experience
from learners.data.dataset import Dataset
from learners.io.samples import load_network, load_sample
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.registry import LEARNERS
from viz.text import format_seconds, format_span

MAX_SECONDS = 60.0
RESAMPLES = 10  # resamples of the bootstrap, to limit its duration
SAMPLES = ("asia", "child", "insurance", "alarm", "gauss30", "letters")


def main(words: list[str]) -> None:
    """Print a line for each run, and how many runs stayed within the estimate.

    Each learner is estimated before its first run and after it.
    """
    outcomes = {"first": [], "corrected": []}
    for key in words or LEARNERS:
        known = Experience()
        for name, dataset in tables().items():
            if dataset.kind not in LEARNERS[key].kinds:
                continue
            estimate, taken, estimated = measured(key, dataset, known)
            which = "first" if known.range_of(key, 1.0) == Experience().range_of(key, 1.0) else "corrected"
            outcomes[which].append(estimate[0] <= taken <= estimate[1] or max(taken, estimate[1]) < 1.0)
            print(
                f"{key:12} {name:10} {format_span(*estimate):22} {format_seconds(taken):>10}  {which} "
                f"{outcomes[which][-1]}",
                flush=True,
            )
            known.note(key, estimated, taken)
    for which, right in outcomes.items():
        print(f"{which}: {sum(right)} of {len(right)} as said")


def tables() -> dict[str, Dataset]:
    """Return samples, and rows of larger networks."""
    return {name: load_sample(name).dataset for name in SAMPLES} | {
        "win95pts": sample(load_network("win95pts"), 2_000, seed=0),
        "andes": sample(load_network("andes"), 1_000, seed=0),
        "linear 100": sample(random_gaussian_network(100, 200, seed=1), 1_000, seed=0),
    }


def measured(key: str, dataset: Dataset, known: Experience) -> tuple[tuple[float, float], float, float]:
    """Return the displayed range, the seconds taken, and the estimate behind the range."""
    params = LEARNERS[key].checked(dataset.kind, {})
    if "n_resamples" in params:
        params["n_resamples"] = RESAMPLES
    learn(key, dataset.select(list(range(5))), **params)  # compiles the kernels
    estimated = LEARNERS[key].estimate(dataset, **params)
    end = time.perf_counter() + MAX_SECONDS
    result = learn(key, dataset, tick=lambda *_said: time.perf_counter() < end, **params)
    return known.range_of(key, estimated), result.seconds, estimated
