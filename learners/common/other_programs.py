"""Export results to other programs: graphs for other packages, interactive pages for notebooks."""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

HEIGHT = 820  # height of the frame in pixels
LIBRARY = Path(__file__).parents[1]
IN_CLONE, IN_WHEEL = "viz", "edgewise.app.viz"  # package that draws the page, in a clone and in a wheel


class GraphExports:
    """Base of results with a ``graph`` and its ``names``; its methods convert the graph for other packages.

    Each method raises ParameterError if the package is not installed, or cannot hold the graph. The functions of
    `learners.io.packages` also convert graphs that no result has, and back.
    """

    graph: Any
    names: tuple[str, ...]

    def to_networkx(self) -> Any:
        """Return a `networkx.DiGraph` with the names as nodes; an undirected edge becomes two arcs."""
        return import_module(f"{LIBRARY.name}.io.interchange").to_networkx(self.graph, self.names)

    def to_igraph(self) -> Any:
        """Return a directed `igraph.Graph`; an undirected edge becomes two arcs whose attribute `directed` is False."""
        return self._converted("to_igraph")

    def to_pgmpy(self) -> Any:
        """Return a `pgmpy.base.DAG`, or a `PDAG` if an edge is undirected."""
        return self._converted("to_pgmpy")

    def to_pyagrum(self) -> Any:
        """Return a `pyagrum.PDAG` whose nodes are numbered by position and have the names."""
        return self._converted("to_pyagrum")

    def to_causal_learn(self) -> Any:
        """Return a `GeneralGraph` of causal-learn; a PAG keeps its ends."""
        return self._converted("to_causal_learn")

    def to_dowhy(self) -> Any:
        """Return a DAG of the equivalence class as a `networkx.DiGraph`, which DoWhy takes as ``graph``.

        Examples
        --------
        >>> from learners import learn, load_sample
        >>> sorted(learn("pc", load_sample("asia").dataset).to_dowhy().edges)[:2]
        [('bronc', 'smoke'), ('dysp', 'bronc')]
        """
        return self._converted("to_dowhy")

    def _converted(self, function: str) -> Any:
        return getattr(import_module(f"{LIBRARY.name}.io.packages"), function)(self.graph, self.names)


class NotebookDisplay:
    """Base of the classes that notebooks display as an interactive page.

    A subclass overrides `_notebook_page` if another object has the page.
    """

    def _notebook_page(self) -> Any:
        """Return the object with `to_html` and `summary`: by default the replay of this result."""
        return import_module(f"{LIBRARY.name}.recipes.replay_file").replay_of(self)

    def view(self) -> Any:
        """Return the page as a widget for notebooks, which reports clicks and follows Python.

        Returns
        -------
        ReplayView
            Its traits are ``selected``, a tuple of no, one or two variables; ``slider``, the name of the slider shown;
            ``step``, its position from 0; and ``height`` in pixels. All can be set and observed.

        Raises
        ------
        MissingPackage
            If anywidget is not installed.

        Examples
        --------
        >>> from learners import learn, load_sample
        >>> view = learn("pc", load_sample("asia").dataset).view()
        >>> view.selected = ("smoke", "bronc")
        >>> view.slider, view.step
        ('Steps of the run', 27)
        """
        from .optional_packages import require

        require("anywidget", "The widget for notebooks", "notebook")
        return drawing_module("replay_view").view_of(self._notebook_page().to_html())

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the page as a widget if anywidget is installed, and as HTML for viewers without Python."""
        from .optional_packages import is_installed

        page = self._notebook_page()
        text = page.to_html()
        bundle, metadata = {"text/plain": page.summary, "text/html": framed(text)}, {}
        if is_installed("anywidget"):
            widget, metadata = drawing_module("replay_view").view_of(text)._repr_mimebundle_()
            bundle = widget | bundle
        wanted = set(bundle if include is None else include) - set(exclude or ())
        return {form: data for form, data in bundle.items() if form in wanted}, metadata


def framed(page: str) -> str:
    """Return a page in a frame that can neither read the notebook nor send requests."""
    return (
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts allow-downloads" '
        f'title="Replay of a run" style="width: 100%; height: {HEIGHT}px; border: 0"></iframe>'
    )


def drawing_module(name: str) -> ModuleType:
    """Import a module of `viz.replay_page`, which lies beside the library; the library does not depend on it."""
    beside = LIBRARY.parent / IN_CLONE / "replay_page"
    return import_module(f"{IN_CLONE if beside.is_dir() else IN_WHEEL}.replay_page.{name}")
