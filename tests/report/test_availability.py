"""`availability` as a command: documents, exit codes, what it refuses, the same bytes every time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(sys.executable).with_name("trunkline")
TINY = Path(__file__).parent.parent.parent / "examples" / "tiny.yaml"
RATES = """failures:
  rates:
    fibre: {per_year: 0}
    circuit: {per_year: 0}
    router: {per_year: 0}
    site: {per_year: 0}
    peer: {per_year: 0}
    port: {per_year: 0}
    risk: {per_year: 0}
    member: {per_year: 0}
    named:
      b-pr1: {per_year: 8.76, repair: 10h}
      b-bb1: {per_year: 8.76, repair: 10h}
"""
"""Two routers on the only way in from the Internet, each with odds of 0.01."""


def net(folder: Path, objective: str = "") -> Path:
    text = TINY.read_text().replace("objectives:\n", f"objectives:\n{objective}") + RATES
    (folder / "net.yaml").write_text(text)
    return folder / "net.yaml"


def run(file: Path, *more: str, seed: str = "0") -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), "availability", str(file), "-q", *more]
    environment = os.environ | {"PYTHONHASHSEED": seed}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def records(document: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = document["tables"][name]
    return [dict(zip([c["name"] for c in found["columns"]], row, strict=True)) for row in found["rows"]]


def test_the_figures_of_a_document(tmp_path: Path) -> None:
    """All of internet to b-dc is lost while b-pr1 or b-bb1 is down: up (100/101)^2 of the time, 0.980296049...

    1 - that is 0.0197039506..., of a year 621,383.78 s.  Each of the two hits it 8.76 times a year: every 500 h.
    """
    document = json.loads(run(net(tmp_path), "--json").stdout)
    assert (document["schema"], document["ok"]) == ("trunkline/availability/1", True)
    assert (document["remainder_ppb"], document["sampled"], document["scenarios"]) == (0, 0, 4)
    (row,) = (r for r in records(document, "availability_demands") if r["demand"] == "customer.internet.b-dc")
    assert (row["served"], row["served_most"]) == (980_296_049, 980_296_050)
    assert (row["delivered"], row["delivered_most"]) == (980_296_049, 980_296_050)
    assert (row["downtime"], row["downtime_most"]) == (621_383, 621_384)
    assert (row["rate"], row["mtbf"], row["class"], row["family"]) == (10**10, 500, "customer", "v4")
    assert row["transient_most"] == 2 * 876 * 6_000_000 // 100  # 17.52 times 1 s until it is seen and 5 s to converge


def test_pairs_of_regions_and_what_costs_most(tmp_path: Path) -> None:
    """b-pr1 alone: odds 0.01 over 1.01^2 are 0.009803 of the time, 309,146 s a year."""
    document = json.loads(run(net(tmp_path), "--json").stdout)
    pairs = [(r["from"], r["to"], r["rate"]) for r in records(document, "availability_pairs")]
    assert pairs == [("internet", "east", 10 * 10**9), ("west", "east", 110 * 10**9)]
    first = records(document, "contributors")[0]
    assert (first["class"], first["scenario"], first["downtime"], first["lost"]) == (
        *("customer", "b-bb1", 309_146, 70 * 10**9),
    )


@pytest.mark.parametrize(
    ("target", "budget", "verdict", "code"),
    [("98.0296049%", 4, "met", 0), ("98.029605%", 4, "broken", 1), ("98.5%", 1, "undecided", 0)],
)
def test_verdicts_and_exit_codes(tmp_path: Path, target: str, budget: int, verdict: str, code: int) -> None:
    file = net(tmp_path, f"  - {{name: nines, availability: {target}, class: customer}}\n")
    done = run(file, "--budget", str(budget), "--json")
    (row,) = records(json.loads(done.stdout), "availability_objectives")
    assert (done.returncode, row["verdict"]) == (code, verdict)
    assert row["worst"] == ("customer.internet.b-dc v4" if budget > 1 else "customer.a-dc.b-dc v4")  # by name if alike
    assert f"nines: {verdict}" in run(file, "--budget", str(budget)).stdout


def test_undecided_says_what_would_decide(tmp_path: Path) -> None:
    file = net(tmp_path, "  - {name: nines, availability: 98.5%}\n")
    assert "if they lose nothing: 1; see --budget" in run(file, "--budget", "1").stdout


def test_plan_leaves_it_to_availability(tmp_path: Path) -> None:
    file = net(tmp_path, "  - {name: nines, availability: 100%}\n")
    done = subprocess.run([str(PROGRAM), "plan", str(file), "-q"], capture_output=True, text=True, check=False)
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("nines"))
    assert line.split() == ["nines", "-", "judged", "by", "`trunkline", "availability`"]
    assert done.returncode == 0


def test_the_same_bytes_for_any_workers_and_seed(tmp_path: Path) -> None:
    more = ("--budget", "40", "--sample", "20", "--json")
    one = run(TINY, *more, "--workers", "1", seed="1")
    two = run(TINY, *more, "--workers", "2", seed="2")
    assert json.loads(one.stdout)["sampled"] == 20
    assert one.stdout == two.stdout


def test_additions(tmp_path: Path) -> None:
    """With a second b-pr1 only b-bb1 is in series: the mean over the three demands, of which one needs b-pr1."""
    done = run(net(tmp_path), "--additions")
    assert "another router beside b-bb1" in done.stdout
    rows = records(json.loads(run(net(tmp_path), "--additions", "--json").stdout), "additions")
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
    assert [row["saved"] for row in rows] == sorted((row["saved"] for row in rows), reverse=True)


def test_every_table_and_column_is_documented() -> None:
    document = json.loads(run(TINY, "--budget", "5", "--additions", "--json").stdout)
    page = (TINY.parent.parent / "docs" / "tables.md").read_text()
    columns = {c["name"] for found in document["tables"].values() for c in found["columns"]}
    assert [name for name in sorted({*columns, *document["tables"]}) if f"`{name}`" not in page] == []
