"""Optional packages, each installed by an extra of the wheel."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from .errors import LearnersError


class MissingPackage(LearnersError):
    """An optional package is missing. Takes the arguments of `check_installed`."""

    def __init__(self, package: str, task: str, extra: str) -> None:
        super().__init__(
            f"{task} needs the package {package}, which is not installed. "
            f'Install it with `pip install "edgewise[{extra}]"`.'
        )
        self._given = package, task, extra

    def __reduce__(self) -> tuple:
        """Pickle the arguments, so that another process can restore the error."""
        return type(self), self._given


def is_installed(package: str) -> bool:
    """Return True if the package can be imported."""
    return find_spec(package) is not None


def require(module: str, task: str, extra: str) -> ModuleType:
    """Import and return a module of an optional package.

    Parameters
    ----------
    module : str
        Full name, e.g. "streamlit.web.cli".
    task : str
        What needs it, as the subject of a sentence, e.g. "Reading Excel files".
    extra : str
        The extra of the wheel that installs it.

    Raises
    ------
    MissingPackage
        If the package is not installed.
    """
    check_installed(module.partition(".")[0], task, extra)
    return import_module(module)


def check_installed(package: str, task: str, extra: str) -> None:
    """Raise MissingPackage unless the package can be imported; see `require` for the arguments."""
    if not is_installed(package):
        raise MissingPackage(package, task, extra)
