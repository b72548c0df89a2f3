"""Whatever hand wrote a file: an edit gives the edited data, read back by PyYAML, and leaves all other lines alone."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from model.edit.styles import Hand
from trunkline.model.edit import edit
from trunkline.model.load import load

NETWORK: dict[str, Any] = {
    "trunkline": "1",
    "regions": ["west", "east"],
    "sites": {"a": {"region": "west"}, "b": {"region": "east", "at": ["1.5", "2"]}},
    "routers": {
        name: {"site": name[0], "role": "bb", "loopback": [address]}
        for name, address in (("a-1", "192.0.2.1"), ("a.2", "192.0.2.2"), ("b-1", "192.0.2.3"))
    },
    "circuits": [
        {"name": "x", "a": "a-1", "b": "b-1", "capacity": "100G", "latency": "1ms", "metric": {"ab": "10", "ba": "11"}},
        {"a": "a-1", "b": "a.2", "capacity": "400G", "metric": "5", "risks": ["no", "duct"], "te_metric": "7"},
        {"name": "z", "a": "a.2", "b": "b-1", "capacity": "10G", "length": "10 km", "metric": "3", "groups": ["g"]},
    ],
    "igp": {"topology": "multi", "metric_rule": "latency"},
}  # fmt: skip


def read(data: bytes) -> Any:
    return yaml.load(data.decode("utf-8-sig").replace("\t", " "), Loader=yaml.BaseLoader)  # noqa: S506  # BaseLoader makes only text


def lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def kept(before: list[bytes], after: list[bytes]) -> tuple[int, int]:
    """How many lines of each differ, between what they begin and end with in common."""
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return len(before) - head - tail, len(after) - head - tail


def scalars(value: Any, path: str = "") -> list[str]:
    if isinstance(value, dict):
        return [p for k, v in value.items() for p in scalars(v, f"{path}.{k}".removeprefix("."))]
    if isinstance(value, list):
        return [p for i, v in enumerate(value) for p in scalars(v, f"{path}[{i}]")]
    return [path]


def down(data: Any, path: str) -> tuple[Any, Any]:
    """The box and the key of a path; only `a.2` has a dot in its name."""
    keys = path.replace("a.2", "a%2").replace("[", ".[").split(".")
    real = [int(k[1:-1]) if k.startswith("[") else k.replace("%", ".") for k in keys]
    for key in real[:-1]:
        data = data[key]
    return data, real[-1]


def split(path: str, at: int) -> tuple[str, str]:
    """A path as `where` and `field`."""
    cuts = [i for i, c in enumerate(path) if c in ".[" and i and path[i - 1 : i + 2] != "a.2"] or [0]
    cut = cuts[at % len(cuts)]
    return path[:cut], path[cut:].removeprefix(".")


PATHS = scalars(NETWORK)
TEXT = st.sampled_from(["12", "no", "a b", "x: y", "#", "~", "", "it's", '"', "- a", "[", "é", "null", "<<", "a #b"])


def written(folder: Path, seed: int) -> tuple[Path, bytes]:
    if seed % 5:
        file, data = folder / "net.yaml", Hand(Random(seed)).file(NETWORK)  # noqa: S311
    else:
        file, data = folder / "net.json", json.dumps(NETWORK, indent=(None, 1, 4, "\t")[seed % 4]).encode()
    assert read(data) == NETWORK
    file.write_bytes(data)
    return file, data


@settings(max_examples=400)
@given(seed=st.integers(0, 10**9), path=st.sampled_from(PATHS), value=TEXT, cut=st.integers(0, 3))
def test_a_scalar(tmp_path_factory: pytest.TempPathFactory, seed: int, path: str, value: str, cut: int) -> None:
    file, before = written(tmp_path_factory.getbasetemp(), seed)
    editing = edit(file)
    editing.set(*split(path, cut), value)
    after = editing.written()[str(file)]
    wanted = copy.deepcopy(NETWORK)
    box, key = down(wanted, path)
    box[key] = value
    assert read(after) == wanted
    assert len(lines(before)) == len(lines(after))
    assert kept(lines(before), lines(after)) in [(1, 1), (0, 0)]


@settings(max_examples=300)
@given(seed=st.integers(0, 10**9), path=st.sampled_from(PATHS), whole=st.booleans())
def test_removal(tmp_path_factory: pytest.TempPathFactory, seed: int, path: str, whole: bool) -> None:
    file, before = written(tmp_path_factory.getbasetemp(), seed)
    path = path.rpartition(".")[0] or path if whole and "[" not in path[-3:] else path
    editing = edit(file)
    editing.remove(path)
    after = editing.written()[str(file)]
    wanted = copy.deepcopy(NETWORK)
    box, key = down(wanted, path)
    del box[key]
    assert read(after) == wanted
    old, new = kept(lines(before), lines(after))
    assert new <= 2
    assert len(lines(after)) <= len(lines(before))
    comments = [line for line in lines(before) if line.strip().startswith(b"# -")]
    assert sum(line.strip().startswith(b"# -") for line in lines(after)) >= len(comments) - old


ENTRIES: list[tuple[str, str | None, Any]] = [
    ("circuits", None, {"name": "new", "a": "a-1", "b": "b-1", "capacity": "1T", "latency": "2ms", "risks": ["r"]}),
    ("routers", "c: 3", {"site": "a", "role": "pr"}),
    ("regions", None, "north"),
    ("circuits[1].risks", None, "no"),
    ("circuits[0]", "members", "2"),
    ("routers.a.2", "overload", "true"),
    ("sites.b.at", None, "3"),
    ("igp", "more", {"x": ["1"]}),
    ("", "name", "here"),
]  # fmt: skip


@settings(max_examples=300)
@given(seed=st.integers(0, 10**9), entry=st.sampled_from(ENTRIES))
def test_addition(tmp_path_factory: pytest.TempPathFactory, seed: int, entry: tuple[str, str | None, Any]) -> None:
    file, before = written(tmp_path_factory.getbasetemp(), seed)
    where, name, value = entry
    editing = edit(file)
    editing.add(where, value, name)
    after = editing.written()[str(file)]
    wanted = copy.deepcopy(NETWORK)
    box: Any = wanted
    if where:
        outer, key = down(wanted, where)
        box = outer[key]
    if name is None:
        box.append(value)
    else:
        box[name] = value
    assert read(after) == wanted
    old, _ = kept(lines(before), lines(after))
    assert old <= 1


@settings(max_examples=60)
@given(seed=st.integers(0, 10**9), metric=st.integers(1, 2**24 - 2))
def test_the_network_reads_back(tmp_path_factory: pytest.TempPathFactory, seed: int, metric: int) -> None:
    file, _ = written(tmp_path_factory.getbasetemp(), seed)
    before = load(file).network
    editing = edit(file)
    editing.set("circuit z", "metric", metric)
    assert editing.save() == [str(file)]
    z = replace(before.circuit["z"], metric_ab=metric, metric_ba=metric, te_metric_ab=metric, te_metric_ba=metric)
    assert load(file).network == replace(before, circuits=(before.circuit["a-1--a.2"], before.circuit["x"], z))
