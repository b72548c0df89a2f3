"""A sweep on a Dask cluster that is there already: the same chunks and rows, in the same order, as in one process.

The network travels as a task of its own, whose result workers hand to each other: one that is lost with a worker is
made again, as is every chunk that was under way there.  A chunk is asked for once and yielded once.  Only with
`trunkline[cluster]`.
"""

from __future__ import annotations

import gc
import importlib
import logging
import pickle
import socket
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from importlib.metadata import version
from itertools import islice
from typing import Any

from trunkline.engine.choice import Unavailable
from trunkline.model.network import Network
from trunkline.model.problem import Missing, Problem, Problems
from trunkline.risk.impact import Rows
from trunkline.risk.sweep import Chunk, Sweep

PATIENCE_S = 5
"""How long a scheduler has to answer, and to have a worker."""

Swept = Callable[[Network, Sequence[Chunk], bool], Iterator[Rows]]
"""Yields the rows of each chunk, in order; where the last argument says so, with their seals."""


@contextmanager
def cluster(address: str) -> Iterator[Swept]:
    """Connect to a scheduler, such as `tcp://host:8786`, and lend out a sweep on its workers.

    Raises Missing without Dask, Unavailable where nobody answers or no worker has this version of Trunkline, Problems
    where the address is none.
    """
    dask = _dask()
    for name in ("distributed", "distributed.client"):  # what goes wrong is said here, without a traceback
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        where = dask.comm.addressing.get_address_host_port(address)
    except ValueError as error:
        message = f"'{address}' is no address of a scheduler: {error}"
        raise Problems([Problem("", 0, 0, "cluster", message, "", "one such as tcp://host:8786")]) from None
    try:
        if dask.comm.addressing.parse_address(address)[0] == "tcp":
            _greeted(where)
        client = dask.Client(address, timeout=PATIENCE_S, set_as_default=False)
    except OSError:
        raise Unavailable(f"no Dask scheduler answers at {address} within {PATIENCE_S} s") from None
    with client:
        _check(client, address)
        yield lambda net, wanted, seal: _swept(client, net, wanted, seal)


def _greeted(where: tuple[str, int]) -> None:
    """Wait for the first byte of a scheduler, which speaks first: Dask's client waits without end for it.

    Raises OSError where none comes.
    """
    with socket.create_connection(where, PATIENCE_S) as line:
        if not line.recv(1):
            raise ConnectionError("it hangs up")


def _dask() -> Any:
    try:
        return importlib.import_module("distributed")
    except ModuleNotFoundError as error:
        raise Missing(f"a cluster needs {error.name}: pip install 'trunkline[cluster]'") from None


def _check(client: Any, address: str) -> None:
    """Raise Unavailable unless there are workers, and each has the same version of this package."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE_S)
    except TimeoutError:
        raise Unavailable(f"the Dask cluster at {address} has no workers") from None
    mine = version("trunkline")
    try:
        theirs: dict[str, str] = client.run(version, "trunkline")
    except ModuleNotFoundError:
        raise Unavailable(f"workers of the Dask cluster at {address} lack trunkline {mine}: install it there") from None
    if other := sorted(worker for worker, their in theirs.items() if their != mine):
        raise Unavailable(f"the Dask worker {other[0]} has trunkline {theirs[other[0]]}, and this is {mine}")


def _swept(client: Any, net: Network, wanted: Sequence[Chunk], seal: bool) -> Iterator[Rows]:
    """Yield the rows of each chunk, in order; no more are under way than keep the workers busy."""
    there = client.submit(_network, zlib.compress(pickle.dumps(net)), pure=False)
    todo = iter(wanted)
    flying: deque[Any] = deque()
    try:
        while True:
            room = 2 * sum(client.nthreads().values()) - len(flying)
            flying.extend(
                client.submit(_rows, there, there.key, c, seal, pure=False) for c in islice(todo, max(room, 1))
            )
            if not flying:
                return
            yield flying.popleft().result()
    except (CancelledError, OSError):
        raise Unavailable("the Dask cluster is gone in the middle of the sweep") from None
    except _dask().KilledWorker as error:
        raise Unavailable(f"the Dask cluster gives up on a part of the sweep: {error}") from None


def _network(packed: bytes) -> Network:
    net: Network = pickle.loads(zlib.decompress(packed))  # noqa: S301  (a worker runs what it is sent in any case)
    return net


_here = threading.local()
"""A worker thread's own sweep, by the key of its network: states are not for several threads at once."""


def _rows(net: Network, key: str, chunk: Chunk, seal: bool) -> Rows:
    if getattr(_here, "key", None) != key:
        gc.unfreeze()  # a worker lives on: what the sweep before this one kept is to be found again
        _here.key, _here.sweep = key, Sweep(net, seal=seal)
    rows: Rows = _here.sweep.rows(chunk)
    return rows
