"""The wheel's packages: what pyproject.toml cannot say, because the app's folders are moved on the way.

A clone has `app.py`, `pages/` and `viz/` side by side; `streamlit run app.py` puts their folder on the
path. The wheel keeps them side by side too, but inside one package `edgewise`: names as common as `pages` would be in
everybody's way in `site-packages`. `sample_data/` moves into `learners`, which reads it.
"""

from setuptools import find_namespace_packages, find_packages, setup
from setuptools.command.build_py import build_py

LIBRARY = find_packages(include=["learners", "learners.*"])
SAMPLES = [f"learners.{name}" for name in find_namespace_packages(include=["sample_data", "sample_data.*"])]
APP = [f"edgewise.{name}" for name in find_packages(include=["pages", "pages.*", "viz", "viz.*"])]
TOOLS = {("edgewise", "setup"), ("learners.sample_data", "make")}  # of use in a clone only


class WithoutTools(build_py):
    """Leaves out scripts that happen to lie in a package's folder."""

    def find_package_modules(self, package, package_dir):
        """All modules of the package but the tools."""
        return [one for one in super().find_package_modules(package, package_dir) if one[:2] not in TOOLS]


setup(
    packages=[*LIBRARY, *SAMPLES, "edgewise", *APP],
    package_dir={"edgewise": ".", "learners.sample_data": "sample_data"},
    package_data={
        "edgewise": [".streamlit/config.toml", "lessons/*.md", "lessons/*/*.md"],
        "edgewise.viz": ["*.css", "*.png"],
        "edgewise.viz.experiments": ["results/*"],
        "edgewise.viz.classroom": ["*.css", "*.js"],
        "edgewise.viz.glossary_view": ["*.css", "*.js"],
        "edgewise.viz.graph_view": ["*.css", "*.js"],
        "edgewise.viz.query": ["*.css", "*.js"],
        "edgewise.viz.report": ["*.css"],
        "learners.choosing": ["*.csv"],
        "learners.sample_data": ["*.json", "*.md"],
        "learners.sample_data.data": ["*"],
        "learners.sample_data.networks": ["*"],
    },
    cmdclass={"build_py": WithoutTools},
)
