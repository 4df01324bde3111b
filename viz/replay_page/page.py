"""The HTML file that replays a run: one page that makes no network requests.

The scripts are the modules of the graph component, joined with those of this folder. The data are compressed JSON in
base64, so that no variable name can close an HTML element. The page's policy allows its own script and style by their
hashes, and no request at all.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from learners.common.progress import Stopped, Tick, silent
from learners.common.version import __version__
from learners.recipes.replay_file import Replay

from ..bundle import bundle
from ..text import one_line
from .contents import packs_of, title_of
from .views import View

HERE = Path(__file__).parent
GRAPH_VIEW = HERE.parent / "graph_view"
NO_SCRIPT = "This file needs JavaScript, which this viewer does not run. Open it in a browser."


def replay_html(
    replay: Replay,
    *,
    views: Sequence[View] | None = None,
    positions: np.ndarray | None = None,
    tick: Tick = silent,
) -> str:
    """Return the file as text; empty if the tick cancels.

    Parameters
    ----------
    replay : Replay
    views : sequence of View, optional
        Sliders with their pictures. Default: those of `views_of`.
    positions : (p, 2) float array, optional
        Positions of the variables in [0, 1]. Default: layers.
    tick : callable
        Called for every few explained pairs.
    """
    try:
        packs = packs_of(replay, views, positions, tick)
    except Stopped:
        return ""
    return html_of(title_of(replay), packs)


def html_of(
    title: str,
    contents: Mapping[str, Mapping[str, Any]],
    *,
    script: Path = HERE / "replay_page.js",
    styles: tuple[Path, ...] = (),
    main: str = "replay",
    language: str = "en",
) -> str:
    """Return a page with this title and these packs by name; "page" is the one that is opened first.

    Parameters
    ----------
    title : str
    contents : mapping of str to mapping
    script : Path
        Module that opens the page.
    styles : tuple of Path
        Folders with further styles.
    main : str
        Id of the element that the script fills.
    language : str
    """
    title, style, code = escape(one_line(_encodable(title))), _style(styles), _script(script)
    packs = "\n".join(
        f'<script type="text/plain" id="pack-{name}">{packed(pack)}</script>' for name, pack in contents.items()
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(code, style)}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="Edgewise {__version__}">\n<title>{title}</title>\n'
        f'<style>{style}</style>\n</head>\n<body>\n<main id="{main}"><h1>{title}</h1>'
        f'<p class="loading">Loading…</p><noscript>{NO_SCRIPT}</noscript></main>\n{packs}\n'
        f'<script type="module">{code}</script>\n</body>\n</html>\n'
    )


def packed(pack: Mapping[str, Any]) -> str:
    """Return data as JSON, compressed by gzip, in base64."""
    text = json.dumps(pack, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(_encodable(text).encode("utf-8"), 9, mtime=0)).decode("ascii")


def _encodable(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode("utf-8")


def policy(code: str, style: str) -> str:
    """Return the policy of the page: its own script and style, styles of elements, and images that it draws itself."""
    return (
        f"default-src 'none'; script-src {_hash_of(code)}; style-src-elem {_hash_of(style)}; "
        "style-src-attr 'unsafe-inline'; img-src blob: data:; base-uri 'none'; form-action 'none'"
    )


def _hash_of(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


@cache
def _script(entry: Path) -> str:
    code = bundle(entry)
    if "</script" in code.lower() or "<!--" in code:
        raise ValueError("the scripts of the page may not contain the end of an element")
    return code


@cache
def _style(further: tuple[Path, ...]) -> str:
    folders = (GRAPH_VIEW, HERE, *further)
    return "\n".join(path.read_text(encoding="utf-8") for folder in folders for path in sorted(folder.glob("*.css")))
