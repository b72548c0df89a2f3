"""The command line as a user meets it: exit codes, what goes to which stream, and that nothing is lost."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from trunkline import cli

ROOT = Path(__file__).parent.parent
TINY = "examples/tiny.yaml"


def trunkline(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "trunkline", *arguments],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_plan_that_keeps_its_promises_exits_0_and_fits_a_screen() -> None:
    done = trunkline("plan", "examples/aurora.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) <= 40
    assert max(map(len, done.stdout.splitlines())) <= 120
    for said in ("40 routers", "customer", "552/552", "over the FIBs: holds"):
        assert said in done.stdout


def test_a_broken_promise_exits_1_and_says_which() -> None:
    done = trunkline("plan", TINY, "--event", "examples/tiny-cut.yaml")
    assert done.returncode == 1
    placed = next(line for line in done.stdout.splitlines() if line.startswith("placed"))
    assert placed.split() == ["placed", "BROKEN", "50.0", "%", "(at", "least", "100.0", "%)", "a-dr1/internal"]


def test_bad_input_exits_2_with_every_error_on_standard_error(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("trunkline: 1\nregions: [a]\nsites: {x: {region: b}}\ncircuits:\n- {a: r1, b: r2, capacity: fast}\n")
    done = trunkline("plan", str(bad), "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{bad}:3:21: " in done.stderr
    assert f"{bad}:5:28: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments", [["plan"], ["plan", TINY, "--nonsense"], ["explain", TINY, "colour", "x"], ["fly"]]
)
def test_bad_usage_exits_2(arguments: list[str]) -> None:
    assert trunkline(*arguments).returncode == 2


def test_help_lists_commands_as_one_comes_to_need_them() -> None:
    lines = trunkline("--help").stdout.splitlines()
    named = [m[1] for line in lines if (m := re.match("│ ([a-z]+) ", line))]
    order = "init check plan explain diff compare break protect availability headroom grow drain"
    order += " import export render schema lab"
    assert named == order.split()


def test_help_names_the_extra_that_parquet_needs() -> None:
    assert "'trunkline[frames]'" in trunkline("plan", "--help").stdout


def test_a_missing_file_is_said_in_one_line() -> None:
    done = trunkline("plan", "nowhere.yaml")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot read nowhere.yaml: no such file or directory" in done.stderr


def test_json_is_the_answer_and_nothing_else() -> None:
    done = trunkline("plan", TINY, "--json")
    answer = json.loads(done.stdout)
    assert answer["schema"] == "trunkline/plan/1"
    assert answer["ok"] is True
    assert answer["network"]["routers"] == 5
    assert list(answer) == sorted(answer)
    for found in answer["tables"].values():
        assert all(len(row) == len(found["columns"]) for row in found["rows"])


def test_out_writes_the_same_answer_and_every_table(tmp_path: Path) -> None:
    done = trunkline("plan", TINY, "--json", "--out", str(tmp_path / "new"))
    written = sorted(p.name for p in (tmp_path / "new").iterdir())
    assert (tmp_path / "new" / "plan.json").read_text() == done.stdout
    tables = [f"{name}.csv" for name in json.loads(done.stdout)["tables"]]
    assert written == sorted(["plan.json", "report.html", *tables])


def test_out_writes_parquet_with_the_rows_of_the_answer(tmp_path: Path) -> None:
    done = trunkline("plan", TINY, "--json", "--out", str(tmp_path), "--tables", "parquet")
    tables = json.loads(done.stdout)["tables"]
    expected = ["plan.json", "report.html", *(f"{name}.parquet" for name in tables)]
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(expected)
    read = pq.read_table(tmp_path / "lsps.parquet")
    assert [list(row.values()) for row in read.to_pylist()] == tables["lsps"]["rows"]


def test_parquet_without_pyarrow_exits_3_and_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "pyarrow.py").write_text("raise ModuleNotFoundError(name='pyarrow')\n")  # as if it were not installed
    done = trunkline("plan", TINY, "--out", str(tmp_path / "out"), "--tables", "parquet", PYTHONPATH=str(tmp_path))
    assert done.returncode == 3
    assert done.stderr == "trunkline: this needs pyarrow: pip install 'trunkline[frames]'\n"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("target", ["graphml", "node-link", "containerlab", "netlab"])
def test_export_writes_the_same_to_a_file_and_to_the_screen(tmp_path: Path, target: str) -> None:
    shown = trunkline("export", TINY, "--to", target)
    file = tmp_path / "tiny.out"
    done = trunkline("export", TINY, "--to", target, "-o", str(file))
    assert (shown.returncode, shown.stderr) == (0, "")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"trunkline: wrote {file}\n")
    assert file.read_text() == shown.stdout
    assert "b-pr1" in shown.stdout


def test_export_refuses_what_a_graph_has_not_and_where_it_cannot_write() -> None:
    kind = trunkline("export", TINY, "--to", "graphml", "--kind", "ceos")
    assert (kind.returncode, kind.stdout) == (2, "")
    assert "--kind and --image are for labs, and graphml is a graph" in kind.stderr
    nowhere = trunkline("export", TINY, "--to", "netlab", "-o", "/nowhere/x.yml")
    assert (nowhere.returncode, nowhere.stderr) == (2, "/nowhere/x.yml: error[unwritable]: No such file or directory\n")


def test_out_into_a_file_is_an_error_not_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    done = trunkline("plan", TINY, "--out", str(tmp_path / "file"))
    assert done.returncode == 2
    assert "unwritable" in done.stderr
    assert (tmp_path / "file").read_text() == "mine"


def test_events_of_several_files_follow_one_another(tmp_path: Path) -> None:
    back = tmp_path / "back.yaml"
    back.write_text("- restore: short\n- reoptimize\n")
    events = ["--event", "examples/tiny-cut.yaml", "--event", str(back)]
    done = trunkline("plan", TINY, *events)
    assert done.returncode == 0
    assert "after cut short; then restore short; then re-optimise" in done.stdout
    assert "displaced, moved and before compare with the state ahead of the last event" in done.stdout
    alone = trunkline("plan", TINY, "--event", str(back))
    assert alone.returncode == 2
    assert "'short' is not down here" in alone.stderr


def test_colour_yields() -> None:
    coloured = trunkline("plan", TINY, FORCE_COLOR="1")
    assert "\x1b[" in coloured.stdout
    assert "\x1b[3" not in trunkline("plan", TINY, FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "\x1b[3" not in trunkline("plan", TINY, "--no-color", FORCE_COLOR="1").stdout


def test_init_writes_a_network_that_plans_and_never_overwrites(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    assert trunkline("init", str(mine)).returncode == 0
    assert trunkline("check", str(mine)).returncode == 0
    assert trunkline("plan", str(mine)).returncode == 0
    mine.write_text("precious")
    again = trunkline("init", str(mine))
    assert again.returncode == 2
    assert "exists" in again.stderr
    assert mine.read_text() == "precious"


def test_init_on_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    full = 'ulimit -f 0; exec "$0" -B -m trunkline init "$1"'  # no file may grow
    done = subprocess.run(
        ["bash", "-c", full, sys.executable, str(tmp_path / "mine.yaml")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (2, f"{tmp_path}/mine.yaml: error[unwritable]: File too large\n")
    assert list(tmp_path.iterdir()) == []


def test_schema_is_json_with_every_section() -> None:
    found = json.loads(trunkline("schema").stdout)
    assert {"circuits", "routers", "demands", "objectives"} <= set(found["properties"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["lsp", "a-dr1/internal"], "its shortest path has 12"),  # 1 + 10 + 1, against 1 + 30 + 1
        (["lsp", "a-dr1/internal"], "short@a-bb1"),
        (["route", "a-dr1", "internet"], "by the default route"),
        (["demand", "customer.a-dc.b-dc"], "a-dr1/customer"),
        (["circuit", "short"], "60G of 100G, 60.0 %"),
        (["circuit", "long@a-bb1"], "a-dr1/internal"),
    ],
)
def test_explain(arguments: list[str], said: str) -> None:
    done = trunkline("explain", TINY, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout
    sections = json.loads(trunkline("explain", TINY, *arguments, "--json").stdout)
    assert sections["schema"] == "trunkline/explain/1"
    assert sections["sections"]


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["lsp", "a-dr1/internl"], "a-dr1/internal"),
        (["route", "a-dr", "internet"], "a-dr1"),
        (["route", "a-dr1", "intranet"], "internet"),
        (["demand", "customer.a-dc.b-d"], "customer.a-dc.b-dc"),
        (["circuit", "shortt"], "short"),
    ],
)
def test_explain_names_the_nearest(arguments: list[str], hint: str) -> None:
    done = trunkline("explain", TINY, *arguments)
    assert done.returncode == 2
    assert f"did you mean '{hint}'?" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["circuit", "short"], "it is down"),
        (["circuit", "short@b-bb1"], "it is down"),
        (["route", "a-dr1", "internet"], "the router is down"),
        (["lsp", "a-dr1/internal"], "head or tail is down"),
    ],
)
def test_explain_knows_what_is_down(tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "events.yaml").write_text("[{cut: [short, a-dr1]}]")
    done = trunkline("explain", TINY, *arguments, "--event", str(tmp_path / "events.yaml"))
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


def test_explain_of_an_unknown_demand_where_nothing_flows(tmp_path: Path) -> None:
    (tmp_path / "net.yaml").write_text("trunkline: 1\n")
    done = trunkline("explain", str(tmp_path / "net.yaml"), "demand", "x")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no demand is called 'x'" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["lsp", "a-dr1"], "there are a-dr1/customer a-dr1/internal"),
        (["circuit", "bb1--b"], "there are b-bb1--b-dr1 b-bb1--b-pr1"),
        (["demand", "?"], "there are customer.a-dc.b-dc customer.internet.b-dc internal.a-dc.b-dc"),
    ],
)
def test_explain_lists_what_there_is(arguments: list[str], said: str) -> None:
    assert said in trunkline("explain", TINY, *arguments).stderr


def fails(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> object:
    """The exit code of a command in which something is raised."""

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("trunkline.report.plan.load", fail)
    monkeypatch.setattr(sys, "argv", ["trunkline", "plan", str(ROOT / TINY)])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    return stop.value.code


def test_ctrl_c_exits_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert fails(KeyboardInterrupt(), monkeypatch) == 130
    assert "interrupted" in capsys.readouterr().err


def test_a_bug_exits_70_and_leaves_a_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fails(AssertionError("planted"), monkeypatch) == 70
    report = Path(capsys.readouterr().err.strip().rpartition(" ")[2])
    assert "planted" in report.read_text()
    report.unlink()


def test_a_worker_that_is_killed_is_no_bug(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert fails(BrokenProcessPool("what a pool raises then"), monkeypatch) == 3
    assert "a worker has died" in capsys.readouterr().err


def test_a_reader_that_stops_early_is_no_error() -> None:
    command = f"{sys.executable} -m trunkline plan examples/aurora.yaml --json | head -c 10"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_change_to_the_same_design_takes_no_step() -> None:
    done = trunkline("compare", TINY, "--from", "regional", "--to", "regional", "--steps", "--json", "-q")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert (found["designs"], found["tables"]["steps"]["rows"]) == (["regional"], [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bound", "sessions=5"], "--bound bounds nothing here; expected --grow, or --steps"),
        (["--from", "regional", "--to", "full-mesh", "--steps", "--bound", "held=5"], "--bound bounds nothing here"),
        (["--grow", "\u0663"], "is no range of routers"),
    ],
)
def test_a_comparison_refuses_what_would_say_nothing(arguments: list[str], said: str) -> None:
    done = trunkline("compare", TINY, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_steps_are_not_mixed_with_those_of_another_change(tmp_path: Path) -> None:
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps" / "099.yaml").write_text("trunkline: 1\n")
    change = ["compare", TINY, "--from", "full-mesh", "--to", "regional", "--steps", "-q", "--out", str(tmp_path)]
    done = trunkline(*change)
    assert done.returncode == 2
    assert "099.yaml is here, which is no step of this change" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["steps"]
    (tmp_path / "steps" / "099.yaml").unlink()
    assert trunkline(*change).returncode == trunkline(*change).returncode == 0
    assert [path.name for path in sorted((tmp_path / "steps").iterdir())] == ["000.yaml", "001.yaml"]


def test_rules_that_see_nothing_of_a_table_are_said(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("prefix,as_path\n203.0.113.0/24,64500 3356\n")
    done = trunkline("compare", "examples/policy.yaml", "-q", "-d", "file", "--feed", f"exchange={table}", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    (warning,) = json.loads(done.stdout)["warnings"]
    assert (warning["code"], warning["message"][:28]) == ("feed-prefixes", "1 of the rules ask for prefi")


@pytest.mark.parametrize("factor", ["nan", "inf", "1", "1.001", "101", "ten"])
def test_a_factor_that_is_none_is_refused(factor: str) -> None:
    done = trunkline("grow", TINY, "--to", factor)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"'{factor}' is no factor to grow to" in " ".join(done.stderr.split())


def test_quarters_of_no_purchase_are_refused() -> None:
    done = trunkline("grow", TINY, "--quarters", "2", "--surviving", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected --prices as well" in " ".join(done.stderr.split())
