"""A run as a Jupyter notebook that repeats it, explains a pair and compares the result.

nbformat was considered instead of the dictionaries below. Cells without outputs need none of its functions, and its
import takes 0.14 s of CPU and 241 modules (nbformat 5.11.1). The tests validate notebooks with it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from learners.common.sentences import Count
from learners.common.version import __version__
from learners.recipes.fingerprints import fingerprint_result
from learners.registry import LEARNERS

from .language import ENGLISH, Language
from .snippet import INSTALL, Repeated, imports, written
from .text import escape_markdown

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def notebook(run: Repeated, title: str, language: Language = ENGLISH) -> str:
    """Return the notebook as JSON, format 4.5.

    Parameters
    ----------
    run : Repeated
    title : str
        Title of the run, which becomes the heading of the notebook.
    language : Language
        Language of the texts between the code.
    """
    t, check = language.t, _check(run)
    explaining = _explaining(run)
    code = [*run.reading, run.learning, run.printing, *explaining, *check]
    learner = LEARNERS[run.result.method]
    cells = [
        _markdown(f"# {escape_markdown(language.run_title(title))}", _needs(run, language)),
        _code([f"# %{INSTALL}", *imports("\n".join(code))]),
        _markdown(f"## {t('The data')}", *(escape_markdown(language.written(remark)) for remark in run.remarks)),
        _code(run.reading),
        _markdown(
            f"## {t('The run')}",
            escape_markdown(f"{t(learner.label)}: {language.citation(learner.paper)}. {t(learner.summary)}"),
        ),
        _code([run.learning, run.printing]),
    ]
    cells += [
        _markdown(f"## {t('Explain a pair')}", t("Enter the names of any two variables.")),
        _code(explaining),
    ]
    if check:
        cells += [_markdown(f"## {t('Compare the result')}"), _code(check)]
    numbered = [{"id": f"cell-{k}", **cell} for k, cell in enumerate(cells)]
    about = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    body = {"cells": numbered, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(body, indent=1, ensure_ascii=False) + "\n"


def _needs(run: Repeated, language: Language) -> str:
    variables, edges = Count(len(run.result.names), "variable"), Count(run.result.graph.n_edges, "edge")
    return language.t(
        "This notebook repeats a run of Edgewise {version} with {variables} and {edges}. It needs the library: "
        "`{install}`.",
        version=__version__, variables=variables, edges=edges, install=INSTALL,
    )  # fmt: skip


def _explaining(run: Repeated) -> list[str]:
    """Return code that explains the first edge of the run, or its first two variables if it has no edge."""
    names, edges = run.result.names, sorted(run.result.graph.edges())
    a, b = (names[k] for k in (edges[0][:2] if edges else (0, 1)))
    return [
        f"found = explanation(result, ({a!r}, {b!r}), dataset)",
        "print(*found.written(), sep='\\n')",
    ]


def _check(run: Repeated) -> list[str]:
    """Return code that compares the result with that of the run; empty if the run was stopped early."""
    if not run.result.complete:
        return []
    return [
        f"expected = {written(fingerprint_result(run.result))}",
        "print('the same result' if fingerprint_result(result) == expected else 'another result')",
    ]


def _markdown(*paragraphs: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines("\n\n".join(paragraphs))}


def _code(lines: Sequence[str]) -> dict[str, Any]:
    code = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    return {**code, "source": _lines("\n".join(lines))}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
