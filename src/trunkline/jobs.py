"""Work in several processes: each makes something once and does tasks with it; answers come in order, all the same."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import shutil
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")
Task = TypeVar("Task")
Answer = TypeVar("Answer")


class Workers(Generic[Made]):
    """`number` processes, this one among them, each with its own `make()`.  It is a context manager.

    `make` and what is done with it must pickle: a function of a module, a method of a class, a partial of one.
    """

    def __init__(self, make: Callable[[], Made], number: int = 1) -> None:
        self._make, self._number = make, number
        self._own: list[Made] = []
        self._pool: ProcessPoolExecutor | None = None
        self._folder: TemporaryDirectory[str] | None = None
        if number > 1:
            context = multiprocessing.get_context("spawn")  # a progress display has a thread, and forks dislike those
            self._folder = TemporaryDirectory(prefix="trunkline-")
            file = Path(self._folder.name) / "make"  # a pipe to a process that dies before it reads would block us
            file.write_bytes(pickle.dumps(make))
            self._pool = ProcessPoolExecutor(number - 1, context, _begin, (file, gc.get_threshold()))

    def __enter__(self) -> Workers[Made]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        if self._folder is not None:
            self._folder.cleanup()

    @property
    def own(self) -> Made:
        """What this process itself has made."""
        if not self._own:
            self._own.append(self._make())
        return self._own[0]

    def each(self, do: Callable[[Made, Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
        """Yield what `do` says of each task, in order; no more than `MOST` answers a process are under way.

        This process does tasks itself while it would wait for an answer, and leaves the others a second one each then.
        """
        todo, flying = deque(tasks), deque[Future[Answer]]()
        try:
            while todo or flying:
                self._hand_out(do, todo, flying, self._number - 1)
                if flying and (flying[0].done() or not todo or len(flying) >= MOST * self._number):
                    yield flying.popleft().result()
                    continue
                task, answer = todo.popleft(), Future[Answer]()
                flying.append(answer)
                if len(todo) >= self._number:  # near the end whoever is ready first takes what is left
                    self._hand_out(do, todo, flying, 2 * self._number - 1)
                try:
                    answer.set_result(do(self.own, task))
                except Exception as error:  # it is raised in its turn
                    answer.set_exception(error)
        finally:
            for future in flying:
                future.cancel()

    def _hand_out(
        self, do: Callable[[Made, Task], Answer], todo: deque[Task], flying: deque[Future[Answer]], most: int
    ) -> None:
        """Hand out tasks to the other processes until so many are under way."""
        busy = sum(not future.done() for future in flying)
        while self._pool and todo and busy < most and len(flying) < MOST * self._number:
            flying.append(self._pool.submit(_do, do, todo.popleft()))
            busy += 1


CHUNK = 8
"""Tasks that a process is given at once."""
MOST = 4
"""Answers a process that wait for those before them, at most."""


def chunks(tasks: Sequence[Task], size: int = CHUNK) -> tuple[tuple[Task, ...], ...]:
    """Return tasks in chunks, in order: the same ones however many workers there are."""
    return tuple(tuple(tasks[i : i + size]) for i in range(0, len(tasks), size))


def ordered(make: Callable[[], Callable[[Task], Answer]], tasks: Sequence[Task], workers: int) -> Iterator[Answer]:
    """Yield the answer to each task, in order: what `make` returns is called with it.

    Each of the `workers` processes calls `make` once and keeps what it returns; `make`, tasks and answers are pickled.
    With one worker, or one task, all is done in this process.  What a task raises is raised here, in its turn.
    """
    with Workers(make, min(workers, len(tasks))) as made:
        yield from made.each(_call, tasks)


def _call(made: Callable[[Task], Answer], task: Task) -> Answer:
    return made(task)


_here: list[Any] = []
"""What a worker has made."""


def _begin(file: Path, collections: tuple[int, int, int]) -> None:
    """Make a worker ready: Ctrl-C is its parent's to hear, and it ends when its parent does, however that ends.

    It looks for cycles as seldom as its parent (`collections`).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(*collections)
    threading.Thread(target=_end_with_parent, args=(file.parent,), daemon=True).start()
    _here[:] = [pickle.loads(file.read_bytes())()]  # noqa: S301 - our own, in a folder that nobody else may write


def _end_with_parent(folder: Path) -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)


def _do(do: Callable[[Any, Any], Any], task: Any) -> Any:
    return do(_here[0], task)
