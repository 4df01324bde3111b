"""The documentation at /docs/: the static site that MkDocs builds from `docs/`."""

from __future__ import annotations

from pathlib import Path

from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

SITE = Path(__file__).parents[1] / "build" / "docs"  # built by `.ci/setup`; included in the wheel
FIRST_PAGE = "docs/index.html"  # relative to any page of the app


def is_built() -> bool:
    """Return True if there is a site to show."""
    return (SITE / "index.html").exists()


def routes() -> list[BaseRoute]:
    """Return the routes of the site, also below a path prefix; empty if it was not built."""
    if not is_built():
        return []
    return [Mount(f"{prefix}/docs", StaticFiles(directory=SITE, html=True)) for prefix in ("", "/{prefix:path}")]
