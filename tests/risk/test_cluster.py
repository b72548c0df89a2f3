"""A sweep on a real Dask cluster on loopback: the same bytes, also where a worker is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest

from folders import files

ROOT = Path(__file__).parent.parent.parent
BIN = Path(sys.executable).parent
AURORA, TINY = (ROOT / "examples" / f"{name}.yaml" for name in ("aurora", "tiny"))
SWEEP = [str(AURORA), "--kinds", "circuit"]
"""80 scenarios, 10 chunks."""
pytestmark = pytest.mark.xdist_group("cluster")


@contextmanager
def started(*command: str | Path, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program that is ended behind the block, whatever happens in it."""
    env = {**os.environ, **environment}
    quiet = subprocess.DEVNULL
    program = subprocess.Popen([str(c) for c in command], stdout=quiet, stderr=quiet, env=env)
    try:
        yield program
    finally:
        program.terminate()
        try:
            program.wait(10)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()


@contextmanager
def scheduler(folder: Path, pids: list[int] | None = None) -> Iterator[str]:
    """A scheduler; yields its address, and notes its process."""
    file = folder / "scheduler.json"
    dask = (BIN / "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    with started(*dask, "--scheduler-file", file) as program:
        until(lambda: file.exists() and file.stat().st_size > 0, program)
        if pids is not None:
            pids.append(program.pid)
        yield str(json.loads(file.read_text())["address"])


def until(done: Callable[[], bool], program: subprocess.Popen[bytes]) -> None:
    """Wait for it while the program runs."""
    while not done():
        assert program.poll() is None, "it has ended"
        time.sleep(0.005)


def worker(address: str, folder: Path, **environment: str) -> AbstractContextManager[subprocess.Popen[bytes]]:
    """A worker process of one thread."""
    dask = (BIN / "dask", "worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard", "--no-nanny")
    return started(*dask, "--local-directory", folder, "--death-timeout", "30", **environment)


def command(*more: str | Path) -> list[str]:
    return [str(BIN / "trunkline"), "break", *map(str, more), "-q"]


def run(*more: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "NO_COLOR": "1", **environment}
    return subprocess.run(command(*more), capture_output=True, text=True, check=False, env=env)


def test_a_worker_that_is_killed_in_the_middle_is_not_missed(tmp_path: Path) -> None:
    """SIGKILL as soon as two parts are written: what it had, done or not, is done again by the other one."""
    here, there = tmp_path / "here", tmp_path / "there"
    assert run(*SWEEP, "--out", here, "--workers", "1").returncode == 0
    with scheduler(tmp_path) as address, worker(address, tmp_path), worker(address, tmp_path) as victim:
        with started(*command(*SWEEP, "--out", there, "--cluster", address)) as program:
            until(lambda: len(list(there.glob("scenarios/*.parquet"))) >= 2, program)
            os.kill(victim.pid, signal.SIGKILL)
            victim.wait()
            assert program.poll() is None
            assert program.wait(120) == 0
        assert files(there) == files(here)
        assert run(TINY, "--json", "--cluster", address).stdout == run(TINY, "--json", "--workers", "1").stdout


def test_availability_on_a_cluster_is_what_it_is_here(tmp_path: Path) -> None:
    asked = [str(BIN / "trunkline"), "availability", str(TINY), "--budget", "20", "--sample", "4", "--json", "-q"]
    here = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    with scheduler(tmp_path) as address, worker(address, tmp_path):
        there = subprocess.run([*asked, "--cluster", address], capture_output=True, text=True, check=True).stdout
    assert there == here
    gone = [*asked, "--cluster", address, "--out", str(tmp_path / "out")]
    assert subprocess.run(gone, capture_output=True, check=False).returncode == 3
    assert not (tmp_path / "out").exists()


def test_where_the_scheduler_goes_the_rest_is_done_here(tmp_path: Path) -> None:
    """Exit 3 and one line; the same command without the cluster goes on from the parts that are there."""
    out, pids = tmp_path / "out", list[int]()
    with scheduler(tmp_path, pids) as address, worker(address, tmp_path):
        asked = command(*SWEEP, "--out", out, "--cluster", address)
        program = subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        while program.poll() is None and not list(out.glob("scenarios/*.parquet")):
            time.sleep(0.005)
        os.kill(pids[0], signal.SIGKILL)
        said = program.communicate(timeout=120)[0]
    assert (program.returncode, said) == (3, "trunkline: the Dask cluster is gone in the middle of the sweep\n")
    there = files(out)
    assert not [name for name in there if "break.json" in name]
    assert run(*SWEEP, "--out", out).returncode == 0
    assert {name: data for name, data in files(out).items() if name in there} == there


def test_nobody_there(tmp_path: Path) -> None:
    """Exit 3, and nothing is written."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        done = run(TINY, "--out", tmp_path / "out", "--cluster", address)
    assert done.returncode == 3
    assert done.stderr == f"trunkline: no Dask scheduler answers at {address} within 5 s\n"
    assert not (tmp_path / "out").exists()


def test_somebody_there_who_says_nothing(tmp_path: Path) -> None:
    """A port that takes connections and never speaks, such as another program's."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        done = run(TINY, "--out", tmp_path / "out", "--cluster", address)
    assert done.returncode == 3
    assert done.stderr == f"trunkline: no Dask scheduler answers at {address} within 5 s\n"
    assert not (tmp_path / "out").exists()


def test_a_cluster_without_workers(tmp_path: Path) -> None:
    with scheduler(tmp_path) as address:
        done = run(TINY, "--out", tmp_path / "out", "--cluster", address)
    assert (done.returncode, done.stderr) == (3, f"trunkline: the Dask cluster at {address} has no workers\n")
    assert not (tmp_path / "out").exists()


def test_workers_of_another_version_are_refused(tmp_path: Path) -> None:
    """They might say something else, and parts are of one version."""
    old = tmp_path / "trunkline-0.0.1.dist-info"
    old.mkdir()
    (old / "METADATA").write_text("Metadata-Version: 2.1\nName: trunkline\nVersion: 0.0.1\n")
    with scheduler(tmp_path) as address, worker(address, tmp_path, PYTHONPATH=str(tmp_path)):
        done = run(TINY, "--cluster", address)
    assert done.returncode == 3
    assert f"has trunkline 0.0.1, and this is {version('trunkline')}" in done.stderr


@pytest.mark.parametrize("address", ["carrier-pigeon://loft", "nonsense", "tcp://host"])
def test_what_is_no_address_exits_2(address: str) -> None:
    done = run(TINY, "--cluster", address)
    assert done.returncode == 2
    assert f"'{address}' is no address of a scheduler" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_dask_it_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "distributed.py").write_text("raise ModuleNotFoundError(name='distributed')\n")
    done = run(TINY, "--cluster", "tcp://127.0.0.1:1", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "trunkline: a cluster needs distributed: pip install 'trunkline[cluster]'\n"
