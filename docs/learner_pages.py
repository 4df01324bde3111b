"""Hooks of MkDocs: add a page for each learner, made from the registry, and delete unused files.

A learner's texts and defaults are defined only in its entry, so its page cannot disagree with the form. ``python
docs/figures.py`` draws the figures.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from learners.families import catalogue  # noqa: E402 - the clone is not on the path of a hook

if TYPE_CHECKING:
    from learners.settings.learner import Learner
    from learners.settings.parameter import Parameter

# Learners of other packages have no figure here, so they get no page.
LEARNERS = {key: one for key, one in catalogue.LEARNERS.items() if (ROOT / f"docs/learners/{key}.svg").exists()}
INDEX = "learners/index.md"
FAMILIES = ("constraint-based", "score-based", "hybrid")


def on_files(files: Files, *, config: Any) -> Files:
    """Add the pages of the learners."""
    pages = {INDEX: index()} | {f"learners/{key}.md": page(learner) for key, learner in LEARNERS.items()}
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_post_build(*, config: Any) -> None:
    """Delete source maps, and the word stems of other languages."""
    assets = Path(config.site_dir) / "assets" / "javascripts"
    for path in [*assets.rglob("*.map"), *(Path(config.site_dir) / "assets" / "stylesheets").rglob("*.map")]:
        path.unlink()
    shutil.rmtree(assets / "lunr", ignore_errors=True)


def index() -> str:
    """Return the list of all learners, by family."""
    lines = [
        "# Learners",
        "",
        "Each learner has a page: what it does, when to choose it, its settings and its source.",
        "",
    ]
    for family in FAMILIES:
        lines += [f"## {family.capitalize()}", "", "| learner | what it does | column types |", "|---|---|---|"]
        lines += [
            f"| [{learner.label}]({key}.md) | {learner.summary} | {', '.join(learner.kinds)} |"
            for key, learner in LEARNERS.items()
            if learner.family == family
        ]
        lines.append("")
    return "\n".join(lines)


def page(learner: Learner) -> str:
    """Return the page of a learner."""
    missing = "Cells may be missing." if learner.takes_missing else "Missing cells are imputed first."
    parts = [
        f"# {learner.label}",
        learner.summary,
        f"**Choose it if** {learner.choose_if}.",
        f"**Column types**: {', '.join(learner.kinds)}. {missing}",
        f"**Source**: {learner.paper}.",
    ]
    if (ROOT / "docs" / "learners" / f"{learner.key}.svg").exists():
        parts.append(f"![The graph that {learner.label} learns from a bundled sample]({learner.key}.svg)")
    if learner.presets:
        parts.append("## Presets")
        parts += [f"- **{preset.label}**: {preset.help}" for preset in learner.presets]
    parts.append("## Settings")
    parts.append(f'`learn("{learner.key}", dataset)` uses the defaults; each setting is a keyword of `learn`.')
    parts.append(
        "| setting | default | range | what it does |\n|---|---|---|---|\n" + "\n".join(map(row, learner.parameters))
    )
    return "\n\n".join(parts) + "\n"


def row(parameter: Parameter) -> str:
    """Return the table row of a setting."""
    default = "none" if parameter.default is None else parameter.default
    limits = ", ".join(f"`{word}`" for word in parameter.choices)
    if not limits and isinstance(parameter.default, int | float) and not isinstance(parameter.default, bool):
        limits = f"{parameter.low:g} to {parameter.high:g}"
    return f"| `{parameter.name}` | {default} | {limits} | {parameter.help} |".replace("\n", " ")
