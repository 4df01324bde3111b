"""A Dask scheduler: reached by its address, and work of `parallel.in_turn` for its workers instead of threads."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.util import find_spec
from typing import TYPE_CHECKING

from .checks import shown_value
from .errors import ParameterError
from .parallel import ELSEWHERE

if TYPE_CHECKING:
    from distributed import Client

PATIENCE = 10  # seconds for a scheduler to answer


def check_dask(asked: str) -> None:
    """ParameterError if Dask is not installed; `asked` is how a scheduler was named."""
    if find_spec("distributed") is None:
        raise ParameterError(f"a scheduler needs Dask; `pip install distributed`, or leave {asked} out")


def connected(address: str, asked: str = "--scheduler", *, called: str = "") -> Client:
    """A client of the scheduler at an address such as "tcp://10.0.0.1:8786", which errors call so, or by its address.

    Raises
    ------
    ParameterError
        If Dask is not installed, or no scheduler answers.
    """
    check_dask(asked)
    from distributed import Client

    # A table goes with the work, so that whoever begins that again has it.
    warnings.filterwarnings("ignore", "Sending large graph")
    try:
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        at = called or shown_value(address)
        raise ParameterError(f"no Dask scheduler answers at {at}; start one or correct it") from error


@contextmanager
def spread_over(address: str) -> Iterator[None]:
    """Within, resamples and tables go to the workers of the scheduler; these must have this library.

    Parameters
    ----------
    address : str
        Such as "tcp://10.0.0.1:8786".

    Raises
    ------
    ParameterError
        If Dask is not installed, or no scheduler answers.
    """
    with connected(address) as client, _elsewhere(lambda: nullcontext(client.get_executor(pure=False))):
        yield


def spread_from_worker() -> AbstractContextManager[None]:
    """The same, in the work of a worker, for all workers of its scheduler; its own place is free while it waits."""
    return _elsewhere(_from_worker)


@contextmanager
def _from_worker() -> Iterator[Executor]:
    from distributed import worker_client

    with worker_client() as client:
        yield client.get_executor(pure=False)


@contextmanager
def _elsewhere(others: Callable[[], AbstractContextManager[Executor]]) -> Iterator[None]:
    token = ELSEWHERE.set(others)
    try:
        yield
    finally:
        ELSEWHERE.reset(token)
