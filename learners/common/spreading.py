"""Work of `parallel.in_turn` for the workers of a Dask scheduler instead of threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .checks import shown_value
from .errors import ParameterError
from .parallel import ELSEWHERE

PATIENCE = 10  # seconds for a scheduler to answer


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
    try:
        from distributed import Client
    except ImportError as error:
        raise ParameterError("a scheduler needs Dask; `pip install distributed`, or leave --scheduler out") from error
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise ParameterError(f"no Dask scheduler answers at {shown_value(address)}; start one or correct it") from error
    with client:
        token = ELSEWHERE.set(client.get_executor(pure=False))
        try:
            yield
        finally:
            ELSEWHERE.reset(token)
