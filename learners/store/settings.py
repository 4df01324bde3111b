"""Settings of the store from environment variables; see docs/deploy.md."""

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
MEGABYTES, RUNS, DAYS = 1024.0, 10_000.0, 90.0  # default limits of a workspace


@dataclass(frozen=True)
class StoreSettings:
    """Location and limits of the store.

    Attributes
    ----------
    url : str
        SQLAlchemy URL of the database.
    folder : Path or None
        Folder of blobs; None if they are stored in the database.
    keeps : bool
        True if work is saved at all.
    megabytes, runs : int
        Limits of a workspace.
    days : float
        Days after the last visit until a workspace is deleted.
    """

    url: str
    folder: Path | None
    keeps: bool = True
    megabytes: int = int(MEGABYTES)
    runs: int = int(RUNS)
    days: float = DAYS


def store_settings(env: Mapping[str, str] = os.environ) -> StoreSettings:
    """Return the settings from the environment, with defaults.

    Raises
    ------
    ParameterError
        If a variable is invalid.
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
    """Return the user's data folder by the XDG base directory specification."""
    return Path(env.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def _with_driver(url: str) -> str:
    """Return the URL with the installed driver of PostgreSQL."""
    kind, mark, rest = url.partition("://")
    if not mark:
        raise ParameterError("EDGEWISE_DATABASE must be a URL like postgresql://user@host/name; correct it")
    return f"postgresql+psycopg://{rest}" if kind in ("postgres", "postgresql") else url
