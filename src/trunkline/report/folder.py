"""What `--out DIR` writes: the JSON, a file per table, and report.html.

Apart from `plan`, `diff` and `compare` themselves, so that only who asks for a page pays for the making of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from trunkline.model.frames import Form
from trunkline.model.problem import Problem, Problems
from trunkline.report.compare import Compared
from trunkline.report.compare_page import comparison_page
from trunkline.report.diff import Difference
from trunkline.report.files import to_json, write_all, write_folder
from trunkline.report.page import page, side, sides
from trunkline.report.plan import Planning


def write_plan(folder: Path, planning: Planning, form: Form = Form.CSV) -> None:
    """Write plan.json, the tables and report.html into a folder."""
    shown = page(planning.name, sides(planning.proof, planning.loaded.warnings))
    texts = {"plan.json": to_json(planning.document), "report.html": shown}
    write_all(folder, texts, planning.proof.settled.tables, form)


def write_difference(folder: Path, difference: Difference) -> None:
    """Write diff.json, the tables of what differs as CSV, and report.html with both networks into a folder."""
    texts = {"diff.json": to_json(difference.document), "report.html": _page(difference)}
    write_all(folder, texts, difference.tables)


def write_comparison(folder: Path, found: Compared) -> None:
    """Write compare.json, the tables as CSV, report.html, and a migration's states as network files into a folder."""
    steps = found.step_files()  # what cannot be written as one is refused before anything is
    _alone(folder / "steps", steps)
    write_all(folder, {"compare.json": to_json(found.document), "report.html": comparison_page(found)}, found.tables)
    write_folder(folder, steps)


def _alone(folder: Path, states: Mapping[str, bytes]) -> None:
    """Refuse a folder that has network files of another change: they would be walked through with these."""
    others = sorted(path.name for path in folder.glob("*.yaml") if f"{folder.name}/{path.name}" not in states)
    if states and others:
        message = f"{others[0]} is here, which is no step of this change"
        raise Problems([Problem(str(folder), 0, 0, "steps", message, "", "no other network files beside the steps")])


def _page(difference: Difference) -> str:
    plans = difference.a, difference.b
    first, second = (p.proof for p in plans)
    labels = [f"{label}{_after(plan)}" for label, plan in zip(difference.labels, plans, strict=True)]
    shown = (
        side(labels[0], first.net, first.settled, None, plans[0].loaded.warnings),
        side(labels[1], second.net, second.settled, first.settled, plans[1].loaded.warnings),
    )
    changed = [(f"{c.kind} {c.name}", c.field or c.action, c.before, c.after) for c in difference.changes]
    return page(" -> ".join(difference.labels), shown, changed)


def _after(planning: Planning) -> str:
    events = planning.summary["events"]
    return f" after {'; then '.join(events)}" if events else ""
