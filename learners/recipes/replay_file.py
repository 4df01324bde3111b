"""The replay of a run as one HTML file, which opens without a server."""

from __future__ import annotations

from dataclasses import dataclass

from ..common.errors import ParameterError
from ..common.other_programs import NotebookDisplay, drawing_module, framed
from ..common.progress import Tick, silent
from ..common.validation import validated
from ..common.wording import count
from ..data.dataset import Dataset
from ..graphs.graph import PDAG
from ..graphs.knowledge import Knowledge
from ..registry import LEARNERS
from ..results.result import LearnResult
from ..sweeping.sweep import Sweep
from .recipe import Recipe


@dataclass(frozen=True, eq=False)
class Replay(NotebookDisplay):
    """A run to replay, returned by `replay`. A notebook displays it.

    Attributes
    ----------
    result : LearnResult
    dataset : Dataset or None
        Data of the run.
    title : str
    recipe : Recipe or None
    knowledge : Knowledge or None
        Background knowledge of the run.
    truth : PDAG or None
        True CPDAG over the same variables.
    sweep : Sweep or None
        Results at other values of a parameter.
    include_data : bool
        True if the file contains the rows of the data set.
    """

    result: LearnResult
    dataset: Dataset | None = None
    title: str = ""
    recipe: Recipe | None = None
    knowledge: Knowledge | None = None
    truth: PDAG | None = None
    sweep: Sweep | None = None
    include_data: bool = False

    @property
    def known(self) -> Knowledge | None:
        """Background knowledge of the run, from its recipe if there is one."""
        return self.recipe.knowledge if self.knowledge is None and self.recipe is not None else self.knowledge

    @property
    def summary(self) -> str:
        """The learner, the size of the data and of the graph, in one line."""
        result = self.result
        rows = "" if result.rows is None else f", {count(result.rows.n, 'row')}"
        sizes = f"{count(len(result.names), 'variable')}{rows}, {count(result.graph.n_edges, 'edge')}"
        return f"{LEARNERS[result.method].label}: {sizes}."

    def to_html(self, tick: Tick = silent) -> str:
        """Return the file as text, which is to be stored as UTF-8.

        Parameters
        ----------
        tick : callable, optional
            ``tick(phase, done, total)`` is called for every few pairs that are explained. If it returns False, the
            text is empty.
        """
        return drawing_module("page").replay_html(self, tick=tick)

    def _notebook_page(self) -> Replay:
        return self

    def _repr_html_(self) -> str:
        """Return the file in a frame, for viewers that support only HTML."""
        return framed(self.to_html())


@validated
def replay(
    result: LearnResult,
    dataset: Dataset | None = None,
    *,
    title: str = "",
    recipe: Recipe | None = None,
    knowledge: Knowledge | None = None,
    truth: PDAG | None = None,
    sweep: Sweep | None = None,
    include_data: bool = False,
) -> Replay:
    """Prepare the interactive replay of a run as one HTML file.

    The file holds the graph with its slider, its curve and its legend, the matrix, the tables, and the explanations of
    the pairs. It needs no server and sends no request. It states the version of this library, the hash of the data if
    `dataset` or `recipe` is given, and what was left out of a large run.

    Parameters
    ----------
    result : LearnResult
    dataset : Dataset, optional
        Data of the run, for the explanations and the hash. Its rows are not in the file unless `include_data`.
    title : str, optional
        Heading of the file. Default: the name of the learner.
    recipe : Recipe, optional
        Shown in the file with a button that saves it.
    knowledge : Knowledge, optional
        Background knowledge of the run, which directs the solutions of PATH and pHGS. Default: that of the recipe.
    truth : PDAG, optional
        True CPDAG over the same variables; adds a comparison.
    sweep : Sweep, optional
        Results at other values of a parameter, which become a second slider with its survival map.
    include_data : bool, default False
        Include the rows of `dataset`.

    Returns
    -------
    Replay
        `Replay.to_html` returns the file.

    Raises
    ------
    ParameterError
        If data, truth or sweep have other variables than the result, or `include_data` lacks a data set.

    Examples
    --------
    >>> from learners import learn, load_sample, replay
    >>> asia = load_sample("asia")
    >>> page = replay(learn("pc", asia.dataset), asia.dataset, title="Asia").to_html()
    >>> page.startswith("<!DOCTYPE html>")
    True
    """
    if dataset is not None and tuple(dataset.names) != tuple(result.names):
        raise ParameterError("dataset and result must have the same variables; pass the data set of the run")
    if truth is not None and truth.p != len(result.names):
        variables = count(len(result.names), "variable")
        raise ParameterError(f"truth must have the {variables} of the result, got {truth.p:,}; pass the true CPDAG")
    if sweep is not None and any(one is not None and one.names != result.names for one in sweep.results):
        raise ParameterError("sweep and result must have the same variables; sweep over the data of the run")
    if include_data and dataset is None:
        raise ParameterError("include_data needs the rows; pass the data set of the run as dataset")
    return Replay(result, dataset, title, recipe, knowledge, truth, sweep, include_data)


def replay_of(shown: LearnResult | Sweep) -> Replay:
    """Return the replay of a result, or of a sweep: of the value that is the learner's default, else of the middle one.

    Raises
    ------
    ParameterError
        If the sweep was cancelled before its first result.
    """
    if isinstance(shown, LearnResult):
        return replay(shown)
    default = next(one.default for one in LEARNERS[shown.key].parameters if one.name == shown.parameter)
    known = [k for k, result in enumerate(shown.results) if result is not None]
    if not known:
        raise ParameterError("the sweep was cancelled before its first result; run it again")
    own = [k for k in known if shown.values[k] == default] or known[len(known) // 2 :]
    return replay(shown.results[own[0]], sweep=shown)
