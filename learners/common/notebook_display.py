"""Display of results in notebooks: an interactive replay below the cell, whose clicks come back to Python."""

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
        ('Run', 27)
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
