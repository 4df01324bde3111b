"""Pieces distributed over the workers of a Dask scheduler; this process alone collects and stores the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from learners.common.dask_client import connect

from .catalogue import EXPERIMENTS
from .experiment import Experiment, Piece
from .running import Done, Way, do

DEATHS = 20  # maximum number of worker deaths during a piece, if the scheduler is ours


@contextmanager
def workers(count: int = 2, scheduler: str = "") -> Iterator[Way]:
    """Yield a function that carries out pieces, one at a time on each worker, until the block ends.

    Parameters
    ----------
    count : int
        Number of worker processes on this machine, with one thread each.
    scheduler : str, optional
        Address of a scheduler to use instead, as for `connect`. Its workers must have this project.

    Raises
    ------
    ImportError
        If Dask is not installed.
    ParameterError
        If no scheduler answers.
    """
    import dask
    from distributed import Client, LocalCluster

    # If a worker is killed, another one repeats its unfinished pieces and those whose results were not returned.
    with dask.config.set(
        {"distributed.scheduler.allowed-failures": DEATHS, "distributed.comm.timeouts.connect": "10s"}
    ):
        if scheduler:
            with connect(scheduler) as client:
                yield lambda experiment, pieces: _gathered(client, experiment, pieces)
            return
        with LocalCluster(count, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            yield lambda experiment, pieces: _gathered(client, experiment, pieces)


def _gathered(client, experiment: Experiment, pieces: Mapping[str, Piece]) -> Iterator[tuple[str, Done]]:
    from distributed import as_completed

    # Not pure, because a key made from the arguments could return results of an older version.
    names = {client.submit(do_by_name, experiment.name, piece, pure=False): name for name, piece in pieces.items()}
    for future in as_completed(names, loop=client.loop):  # the client need not be the default one
        yield names[future], future.result()
        future.release()


def do_by_name(experiment: str, piece: Piece) -> Done:
    """Carry out a piece in a worker."""
    return do(EXPERIMENTS[experiment], piece)
