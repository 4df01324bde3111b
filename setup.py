"""Packages of the wheel, declared here because pyproject.toml cannot express that folders of the clone move.

| in the clone | in the wheel | |
|---|---|---|
| `learners/` | `learners` | the library |
| `learners/public/edgewise/` | `edgewise` | its public name; `.ci/setup` puts it on the path of a clone |
| `sample_data/` | `learners.sample_data` | data that the library reads |
| `app.py`, `pages/`, `viz/`, `lessons/` | `edgewise.app` | the app, side by side for `streamlit run app.py` |
| `build/docs/` | `edgewise.app` | the documentation, if `mkdocs build` was run before |

Names as common as `pages` would collide with others in `site-packages`.
"""

from setuptools import find_namespace_packages, find_packages, setup
from setuptools.command.build_py import build_py

LIBRARY = find_packages(include=["learners", "learners.*"])
SAMPLES = [f"learners.{name}" for name in find_namespace_packages(include=["sample_data", "sample_data.*"])]
APP = [f"edgewise.app.{name}" for name in find_packages(include=["pages", "pages.*", "viz", "viz.*"])]
TOOLS = {("edgewise.app", "setup"), ("learners.sample_data", "make")}  # modules that are useful in a clone only


class WithoutTools(build_py):
    """Build command that leaves these modules out of the wheel."""

    def find_package_modules(self, package, package_dir):
        """Return all modules of the package except the tools."""
        return [one for one in super().find_package_modules(package, package_dir) if one[:2] not in TOOLS]


setup(
    packages=[*LIBRARY, *SAMPLES, "edgewise", "edgewise.app", *APP],
    package_dir={
        "edgewise": "learners/public/edgewise",
        "edgewise.app": ".",
        "edgewise.app.pages": "pages",
        "edgewise.app.viz": "viz",
        "learners.sample_data": "sample_data",
    },
    package_data={
        "edgewise": ["*.pyi"],
        "edgewise.app": [".streamlit/config.toml", "lessons/*.md", "lessons/*/*.md", "build/docs/**/*"],
        "edgewise.app.viz": ["*.css", "*.js", "*.png"],
        "edgewise.app.viz.classroom": ["*.css", "*.js"],
        "edgewise.app.viz.experiments": ["results/*"],
        "edgewise.app.viz.glossary": ["*.css", "*.js"],
        "edgewise.app.viz.graph_view": ["*.css", "*.js"],
        "edgewise.app.viz.lesson_page": ["*.css", "*.js"],
        "edgewise.app.viz.query": ["*.css", "*.js"],
        "edgewise.app.viz.replay_page": ["*.css", "*.js"],
        "edgewise.app.viz.report": ["*.bib", "*.css"],
        "edgewise.app.viz.translation": ["*.json"],
        "learners": ["*.pyi"],
        "learners.choosing": ["*.csv"],
        "learners.independence": ["*.pyi"],
        "learners.scores": ["*.pyi"],
        "learners.evaluation": ["*.json"],
        "learners.verdict": ["*.json"],
        "learners.sample_data": ["*.json", "*.md"],
        "learners.sample_data.data": ["*"],
        "learners.sample_data.networks": ["*"],
    },
    cmdclass={"build_py": WithoutTools},
)
