"""pyNTM's models, by hand and as its examples have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from imported import imported, planned, source

MODEL = """\
INTERFACES_TABLE
node_object_name\tremote_node_object_name\tname\tcost\tcapacity\tcircuit_id\trsvp_enabled\tpercent_reservable_bandwidth
A\tB\tA-B\t20\t120\t7\tTrue\t50
A\tB\tA-B2\t20\t80\t8
B\tA\tB-A2\t30\t60\t8
B\tA\tB-A\t20\t120\t7\tTrue\t50
B\tC\tB-C\t5\t10\t9\tFalse
C\tB\tC-B\t5\t10\t9\tFalse

NODES_TABLE
name\tlon\tlat
A\t10\t0
B\t20\t0

DEMANDS_TABLE
source\tdest\ttraffic\tname
A\tB\t1.5\t''
A\tC\t2\tdmd
A\tB\t0\tnothing

RSVP_LSP_TABLE
source\tdest\tname    configured_setup_bw manual_metric
A\tB\tone\t4\t5
A\tB\ttwo\t\t10
A\tB\tthree
"""


def test_tables_become_circuits_lsps_and_demands(tmp_path: Path) -> None:
    brought, net = imported(source(tmp_path, "model.csv", MODEL))
    assert [(c.name, c.capacity, c.metric_ab, c.metric_ba, c.reservable, c.groups) for c in net.circuits] == [
        ("A--B-1", 120_000_000, 20, 20, 60_000_000, ()),
        ("A--B-2", 60_000_000, 20, 30, 60_000_000, ()),  # 8 has 80 one way and 60 the other: the smaller counts
        ("B--C", 10_000_000, 5, 5, 10_000_000, ("no-rsvp",)),
    ]
    assert [(p.name, p.bandwidth, p.exclude) for p in net.lsps] == [
        ("one", 4_000_000, ("no-rsvp",)),
        ("three", None, ("no-rsvp",)),  # as in pyNTM an LSP without a configured size follows its demands
        ("two", None, ("no-rsvp",)),
    ]
    assert [(d.name, d.source, d.target, d.rate) for d in net.demands] == [
        ("dmd", "A", "C", 2_000_000),
        ("traffic.A.B", "A", "B", 1_500_000),
    ]
    assert brought.applied["row-short"] == (
        "line 4: no rsvp_enabled, percent_reservable_bandwidth",
        "line 5: no rsvp_enabled, percent_reservable_bandwidth",
        "line 7: no percent_reservable_bandwidth",
        "line 8: no percent_reservable_bandwidth",
        "line 25: no configured_setup_bw, manual_metric",
    )
    assert brought.applied["left-out"] == ("manual_metric of 2 LSPs",)
    assert brought.applied["node-implied"] == ("C",)
    assert brought.applied["demand-zero"] == ("A to B",)


def tables(file: Path) -> dict[str, list[list[str]]]:
    """The rows of each table, by the simplest reading of the format there is."""
    found: dict[str, list[list[str]]] = {}
    for line in file.read_text(encoding="utf-8-sig").splitlines():
        if line.strip().endswith("_TABLE"):
            rows = found.setdefault(line.strip(), [])
        elif line.strip():
            rows.append([cell.strip() for cell in line.split("\t")])
    return {name: rows[1:] for name, rows in found.items()}


@pytest.mark.oracle
def test_every_example_imports_and_plans(shared_data: Path) -> None:
    files = sorted((shared_data / "pyntm" / "examples").glob("*.csv"))
    assert len(files) == 8
    for file in files:
        expected = tables(file)
        ways = sorted((a, b, int(cost), int(rate) * 10**6) for a, b, _, cost, rate, *_ in expected["INTERFACES_TABLE"])
        _, net = imported(file)
        both = [(c.a, c.b, c.metric_ab, c.capacity) for c in net.circuits]
        both += [(c.b, c.a, c.metric_ba, c.capacity) for c in net.circuits]
        assert sorted(both) == ways, file.name
        assert {r.name for r in net.routers} == {row[0] for row in expected["NODES_TABLE"]}, file.name
        assert sorted((d.source, d.target, d.rate) for d in net.demands) == sorted(
            (a, b, int(rate) * 10**6) for a, b, rate, _ in expected["DEMANDS_TABLE"]
        ), file.name
        lsps = sorted((row[0], row[1], row[2]) for row in expected.get("RSVP_LSP_TABLE", []))
        assert sorted((p.head, p.tail, p.name) for p in net.lsps) == lsps, file.name
        assert len(planned(net, "lsps")) == len(lsps), file.name


@pytest.mark.oracle
def test_an_lsp_keeps_off_a_link_without_rsvp(shared_data: Path) -> None:
    """A to E: over D costs 30 (no RSVP on A-D), over B or C 40.  150M in three LSPs of 50M each, as pyNTM splits them:
    A-B reserves half of 120M, so one fits there; the other two take C, whose C-E has room for 100M."""
    _, net = imported(shared_data / "pyntm" / "examples" / "traffic_eng_example_model.csv")
    rows = planned(net, "lsps")
    assert [(row["wanted"], row["state"], row["cost"]) for row in rows] == [(50_000_000, "up", 40)] * 3
    assert sorted(row["path"].split()[0] for row in rows) == ["A--B@A", "A--C@A", "A--C@A"]
