"""``python docs/figures.py [LEARNER ...]``: draw the figure of each learner's page from a run of its own.

Each learner runs with its defaults on the first bundled sample that it takes: *Asia* for categorical columns, else
*Gaussian 30*. The figures are stored beside the pages, so that building the site needs no compiled kernels.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from learners.families.catalogue import LEARNERS  # noqa: E402 - a script's own folder is on the path, its parent is not
from learners.io.samples import load_sample  # noqa: E402
from learners.registry import learn  # noqa: E402
from viz.layout.positions import layout  # noqa: E402
from viz.report.picture import graph_svg  # noqa: E402

FOLDER = Path(__file__).with_name("learners")
SAMPLES = {"categorical": "asia", "continuous": "gauss30"}
SETTINGS = {"hpc_target": {"target": "either"}}


def main(keys: list[str]) -> None:
    """Draw the figures of these learners, or of all."""
    FOLDER.mkdir(exist_ok=True)
    for key in keys or LEARNERS:
        kind = "categorical" if "categorical" in LEARNERS[key].kinds else "continuous"
        result = learn(key, load_sample(SAMPLES[kind]).dataset, **SETTINGS.get(key, {}))
        (FOLDER / f"{key}.svg").write_text(graph_svg(result, layout(result.graph)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
