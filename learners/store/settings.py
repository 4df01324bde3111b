"""Where work is kept and how much of it, from environment variables; see docs/deploy.md."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..common.errors import ParameterError
from ..common.memory import positive_setting
from ..common.wording import quoted

DATABASE = "edgewise.sqlite"
MEGABYTES, RUNS, DAYS = 1024.0, 10_000.0, 90.0  # of a workspace, unless said


@dataclass(frozen=True)
class StoreSettings:
    """Where and how much.

    Attributes
    ----------
    url : str
        Of the database, as SQLAlchemy has it.
    folder : Path or None
        Of large parts; None if they lie in the database.
    keeps : bool
        Whether anything is kept at all.
    megabytes, runs : int
        The most of a workspace.
    days : float
        After which a workspace goes that nobody opened.
    """

    url: str
    folder: Path | None
    keeps: bool = True
    megabytes: int = int(MEGABYTES)
    runs: int = int(RUNS)
    days: float = DAYS


def store_settings(env: Mapping[str, str] = os.environ) -> StoreSettings:
    """Those that the environment sets, and defaults for the others.

    Raises
    ------
    ParameterError
        If a variable is none of what it may be.
    """
    url, given = env.get("EDGEWISE_DATABASE", ""), env.get("EDGEWISE_DATA", "")
    folder = Path(given).expanduser().absolute() if given else None
    if not url:
        folder = folder or _home(env) / "edgewise"
        url = f"sqlite:///{folder / DATABASE}"
    keeps = env.get("EDGEWISE_KEEP", "yes")
    if keeps not in ("yes", "no"):
        raise ParameterError(f"EDGEWISE_KEEP must be yes or no, got {quoted([keeps])}")
    return StoreSettings(
        url=_with_driver(url),
        folder=folder,
        keeps=keeps == "yes",
        megabytes=math.ceil(positive_setting(env, "EDGEWISE_WORKSPACE_MB", MEGABYTES)),
        runs=math.ceil(positive_setting(env, "EDGEWISE_WORKSPACE_RUNS", RUNS)),
        days=positive_setting(env, "EDGEWISE_WORKSPACE_DAYS", DAYS),
    )


def _home(env: Mapping[str, str]) -> Path:
    """The user's folder of data, by the XDG base directories."""
    return Path(env.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def _with_driver(url: str) -> str:
    """The URL as SQLAlchemy wants it, which else takes another driver of PostgreSQL than the one that is there."""
    kind, mark, rest = url.partition("://")
    if not mark:
        raise ParameterError("EDGEWISE_DATABASE must be a URL like postgresql://user@host/name, the one given is none")
    return f"postgresql+psycopg://{rest}" if kind in ("postgres", "postgresql") else url
