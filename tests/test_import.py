"""`trunkline import` as a user meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from imported import source
from trunkline.sources.rules import RULES

LINKS = "a,b,capacity,length\nx,y,100G,100 km\ny,z,,200 km\n"
NODES = "name\nx\ny\nz\n"


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "trunkline", *arguments],
        cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    source(tmp_path, "links.csv", LINKS)
    source(tmp_path, "nodes.csv", NODES)
    return tmp_path


def test_the_file_goes_to_standard_output_and_what_was_done_beside_it(folder: Path) -> None:
    done = run(folder, "import", "nodes.csv", "links.csv")
    assert done.returncode == 0
    assert done.stderr.splitlines()[:4] == [
        "network (CSV): 3 routers, 2 circuits, no LSPs, no demands",
        "note: the source has no demands, so nothing loads a circuit; --gravity 1T adds some",
        "note: the source has no LSPs: traffic takes the IGP",
        "capacity-default (1): A link without a capacity has 100G; `defaults` in the file says so once.",
    ]
    assert done.stdout.endswith(
        "circuits:\n  - {a: x, b: y, capacity: 100G, length: 100 km}\n  - {a: y, b: z, length: 200 km}\n"
    )
    said = [line.removeprefix("# ") for line in done.stdout.splitlines() if line.startswith("# ")]
    assert said[1:] == done.stderr.splitlines()[1:]


def test_a_file_is_written_once_and_plans(folder: Path) -> None:
    done = run(folder, "import", "nodes.csv", "links.csv", "-o", "net.yaml")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.endswith("wrote net.yaml; next: trunkline plan net.yaml\n")
    assert run(folder, "plan", "net.yaml").returncode == 0
    written = (folder / "net.yaml").read_text()
    again = run(folder, "import", "nodes.csv", "-o", "net.yaml")
    assert again.returncode == 2
    assert "the file exists already; expected another name, or --force" in again.stderr
    assert (folder / "net.yaml").read_text() == written
    assert run(folder, "import", "nodes.csv", "-o", "net.yaml", "--force", "-q").stderr == ""
    assert "circuits" not in (folder / "net.yaml").read_text()


def test_a_bad_source_writes_nothing(folder: Path) -> None:
    (folder / "bad.csv").write_text("a,b\nx,yy\n")
    done = run(folder, "import", "nodes.csv", "bad.csv", "-o", "net.yaml")
    assert (done.returncode, done.stdout) == (2, "")
    assert "bad.csv:2:1: error[reference]: no node is called 'yy'; did you mean 'y'?" in done.stderr
    assert sorted(file.name for file in folder.iterdir()) == ["bad.csv", "links.csv", "nodes.csv"]


def test_json_has_every_application_of_every_rule(folder: Path) -> None:
    done = run(folder, "import", "nodes.csv", "links.csv", "--json", "-q")
    answer = json.loads(done.stdout)
    assert (done.returncode, done.stderr, answer["schema"]) == (0, "", "trunkline/import/1")
    assert answer["counts"] == {"circuits": 2, "demands": 0, "lsps": 0, "routers": 3}
    rules = {rule["rule"]: rule["subjects"] for rule in answer["rules"]}
    assert rules["role-bb"] == ["x", "y", "z"]
    assert rules["metric-by-latency"] == ["x--y", "y--z"]
    assert all(rule["text"] == RULES[rule["rule"]] for rule in answer["rules"])


def test_gravity_adds_demands_to_a_source_without_any(folder: Path) -> None:
    done = run(folder, "import", "nodes.csv", "links.csv", "--gravity", "1.5T", "-q")
    assert done.stdout.endswith("demands:\n  - {gravity: {total: 1.5T, class: traffic, from: [x, y, z]}}\n")
    assert "gravity (1): " in done.stdout
    source(folder, "demands.csv", "from,to,rate\nx,y,1G\n")
    own = run(folder, "import", "nodes.csv", "links.csv", "demands.csv", "--gravity", "1.5T")
    assert (own.returncode, "the source has demands of its own" in own.stderr) == (2, True)
    assert "expected a bandwidth such as 400G" in run(folder, "import", "nodes.csv", "--gravity", "much").stderr


def test_an_unknown_format_lists_what_is_known(folder: Path) -> None:
    for arguments in (["odd.txt"], ["nodes.csv", "--format", "grafml"]):
        (folder / "odd.txt").write_text("what is this\n")
        done = run(folder, "import", *arguments)
        assert done.returncode == 2
        assert "graphml (Topology Zoo GraphML)" in done.stderr
    assert "did you mean 'graphml'?" in done.stderr


@pytest.mark.parametrize("name", ["nowhere.csv", "."])
def test_what_cannot_be_read_is_said_in_a_line(folder: Path, name: str) -> None:
    done = run(folder, "import", name)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"cannot read {name}: " in done.stderr


def test_what_the_environment_lacks_exits_3(folder: Path) -> None:
    done = run(folder, "import", "netbox:https://127.0.0.1:1", NETBOX_TOKEN="")
    assert done.returncode == 3
    assert done.stderr == "trunkline: no token for https://127.0.0.1:1: set NETBOX_TOKEN to one that may read\n"


def test_the_same_bytes_on_any_hash_seed(folder: Path) -> None:
    texts = {run(folder, "import", "topohub:sndlib/polska", PYTHONHASHSEED=seed).stdout for seed in ("0", "1", "2")}
    assert len(texts) == 1
