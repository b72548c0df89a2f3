"""Network namespaces: made, entered by a thread, looked into, taken away with every process inside.

A lab's namespaces are `trunkline.LAB.THING`; a lab's name holds no dot, so that a prefix names exactly one lab.  A
process is the lab's if its network namespace is: nothing else is ever ended.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

FOLDER = Path("/run/netns")
NEWNET = 0x40000000
"""CLONE_NEWNET of sched.h."""
PATIENCE_S = 5.0
"""How long processes get to end by themselves."""

_libc = ctypes.CDLL(None, use_errno=True)


def full(lab: str, thing: str) -> str:
    """Return the name of a thing's namespace; a `#` would begin a comment in what `ip -batch` reads."""
    return f"trunkline.{lab}.{thing.replace('#', ':')}"


def existing(lab: str) -> list[str]:
    """Return the namespaces of a lab that are there."""
    return sorted(path.name for path in FOLDER.glob(f"{full(lab, '')}*"))


@contextmanager
def inside(namespace: str) -> Iterator[None]:
    """Be in a namespace with this thread: sockets opened and processes started here live in it for good."""
    home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    try:
        there = os.open(FOLDER / namespace, os.O_RDONLY)
        try:
            _enter(there, namespace)
            try:
                yield
            finally:
                _enter(home, "the namespace it came from")
        finally:
            os.close(there)
    finally:
        os.close(home)


def _enter(descriptor: int, name: str) -> None:
    if _libc.setns(descriptor, NEWNET):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)


def start(namespace: str, command: list[str], output: Path) -> None:
    """Start a process in a namespace, out of reach of the terminal's Ctrl-C; what it says goes to a file.

    It outlives us; `take_away` finds it by its namespace.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    files = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(output), flags, 0o644),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    with inside(namespace):
        os.posix_spawn(
            command[0], command, os.environ, file_actions=files, setsid=True, setsigdef=[signal.SIGPIPE]
        )  # Python ignores SIGPIPE, which a child would inherit


def batch(program: str, lines: Iterable[str], namespace: str | None = None) -> None:
    """Have `ip` or `tc` carry out many lines in one process, out of reach of Ctrl-C.

    Raises OSError with what it says where a line fails.
    """
    text = "".join(f"{line}\n" for line in lines)
    if not text:
        return
    command = [program, *(["-n", namespace] if namespace else []), "-batch", "-"]
    done = subprocess.run(  # noqa: S603
        command, input=text, text=True, capture_output=True, check=False, start_new_session=True
    )
    if done.returncode:
        raise OSError(f"{' '.join(command)}: {done.stderr.strip()}")


def processes(namespaces: Iterable[str]) -> list[int]:
    """Return the processes that live in these namespaces, this one never."""
    homes = set()
    for name in namespaces:
        found = os.stat(FOLDER / name)
        homes.add((found.st_dev, found.st_ino))
    pids = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                home = os.stat(entry / "ns" / "net")
            except OSError:  # it has ended meanwhile, or is a zombie
                continue
            if (home.st_dev, home.st_ino) in homes:
                pids.append(int(entry.name))
    return sorted(pids)


def take_away(namespaces: Sequence[str]) -> None:
    """End every process inside and delete the namespaces; a name that a crash left without a namespace goes too."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        _end(namespaces, number)
    batch("ip", [f"netns del {name}" for name in namespaces])


def _end(namespaces: Sequence[str], number: signal.Signals) -> None:
    deadline = time.monotonic() + PATIENCE_S
    told: set[int] = set()
    while pids := processes(namespaces):
        for pid in set(pids) - told:
            told.add(pid)
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        if time.monotonic() > deadline:
            break
        time.sleep(0.02)
    for pid in told:
        with suppress(ChildProcessError):  # those that this process did not start
            os.waitpid(pid, os.WNOHANG)
