"""Why: one LSP's path, one router's route, one demand's walk, one circuit's load, step by step.

An explanation is a list of sections, each with a title and either text or a small table; JSON prints the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from trunkline.bgp.decision import Candidate
from trunkline.bgp.solve import explain as weigh
from trunkline.flow import Proof, State
from trunkline.model.nouns import Family
from trunkline.model.problem import Problem, Problems, nearest
from trunkline.model.units import show_rate, show_share, show_time
from trunkline.report.terminal import grid, show_grid
from trunkline.te.explain import Choice, Why
from trunkline.te.explain import explain as why
from trunkline.te.result import LogLine

Section = dict[str, Any]


def explain(proof: Proof, subject: str, names: Sequence[str]) -> list[Section]:
    """Return the explanation.  Raises Problems where a name means nothing, with the nearest that does."""
    wanted = {"lsp": 1, "route": 2, "demand": 1, "circuit": 1}[subject]
    if len(names) != wanted:
        usage = {"lsp": "HEAD/NAME", "route": "ROUTER GROUP", "demand": "NAME", "circuit": "NAME or NAME@ROUTER"}
        raise _unknown(f"explain {subject} takes {usage[subject]}")
    state = proof.settled
    match subject:
        case "lsp":
            return _lsp(proof, names[0])
        case "route":
            return _route(proof, names[0], names[1])
        case "demand":
            return _demand(state, names[0])
        case _:
            return _circuit(proof, names[0])


def show(console: Console, sections: Iterable[Section]) -> None:
    """Print an explanation."""
    for number, section in enumerate(sections):
        if number:
            console.print()
        console.print(Text(section["title"], "bold"), soft_wrap=True)
        for text in section.get("text", ()):
            console.print(Text("  " + text), soft_wrap=True)
        if section.get("rows"):
            rows = grid(*section["columns"])
            for row in section["rows"]:
                rows.add_row(*map(str, row))
            show_grid(console, rows)
        elif "columns" in section:
            console.print(Text("  none"))


def _unknown(message: str, hint: str = "") -> Problems:
    return Problems([Problem("", 0, 0, "explain", message, nearest=hint)])


def _find(name: str, known: Iterable[str], what: str) -> str:
    names = list(known)
    if name not in names:
        raise _unknown(f"no {what} is called '{name}'{_some(name, names)}", nearest(name, names))
    return name


def _some(name: str, names: Sequence[str]) -> str:
    """Return what may have been meant, since names that the program makes have to be found somewhere."""
    alike = [known for known in names if name in known]
    return f"; there are {_first(alike or names)}" if names else ""


def _lsp(proof: Proof, name: str) -> list[Section]:
    state = proof.settled
    _find(name, (p.lsp.id for p in state.placement.placed), "LSP")
    reasons = why(proof.net, state.net, state.reach, state.placement, name)
    sections = [_lsp_now(reasons)]
    if reasons.full:
        rows = [
            (
                f.arc.name,
                show_rate(f.unreserved),
                show_rate(reasons.placed.wanted),
                _first([p.lsp.id for p in f.holders]),
            )
            for f in reasons.full
        ]
        title = "its shortest path has no room for it here, and these may not be preempted"
        columns = ["circuit", ">free to it", ">wants", "held by"]
        sections.append({"title": title, "columns": columns, "rows": rows})
    if reasons.taken:
        pairs = [("taken", reasons.taken), *([("next best", reasons.beaten)] if reasons.beaten else [])]
        choices = [(what, c.metric, len(c.path), show_rate(c.bottleneck), _through(c)) for what, c in pairs]
        title = f"decided by {reasons.rule}" if reasons.rule else "no rule decided: no other path would do"
        columns = ["", ">metric", ">hops", ">bottleneck", "path"]
        sections.append({"title": title, "columns": columns, "rows": choices})
    log = [_told(line, name) for line in state.placement.log if name in (line.lsp, line.by)]
    return [*sections, {"title": "what happened to it, and by it", "text": log}]


def _told(line: LogLine, name: str) -> str:
    size = show_rate(line.bandwidth)
    if line.lsp != name:
        return f"{line.event}: displaces {line.lsp} ({size}) on {line.circuit}"
    by = f" by {line.by} on {line.circuit}" if line.by else ""
    return f"{line.event}: {line.action}, {size}{by}" + (": " + " ".join(line.path) if line.path else "")


def _first(names: Sequence[str], most: int = 3) -> str:
    return " ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _through(choice: Choice) -> str:
    return " ".join(arc.name for arc in choice.path)


def _lsp_now(reasons: Why) -> Section:
    placed, lsp = reasons.placed, reasons.placed.lsp
    text = [
        f"to {lsp.tail}, class {lsp.cls}, setup {lsp.setup} hold {lsp.hold}, wants {show_rate(placed.wanted)}, "
        f"holds {show_rate(placed.reserved)}"
    ]
    if placed.path is None:
        text.append(f"down: {placed.reason}")
    else:
        text.append("path: " + " > ".join([lsp.head, *(f"({a.circuit}) {a.head}" for a in placed.path)]))
        detour = "its shortest path" if placed.cost == placed.shortest else f"its shortest path has {placed.shortest}"
        text.append(f"TE metric {placed.cost}: {detour}")
        if placed.reserved != placed.wanted:
            text.append(f"smaller than it wants: {placed.reason}; it tries again when bandwidth is released")
    if reasons.shortest and placed.cost != placed.shortest:
        text.append("shortest: " + _through(reasons.shortest))
    return {"title": f"LSP {lsp.id}", "text": text}


def _route(proof: Proof, router: str, group: str) -> list[Section]:
    state = proof.settled
    _find(router, proof.net.router, "router")
    _find(group, proof.net.group, "prefix group")
    if router not in state.net.router:
        return [{"title": f"{router} to {group}", "text": ["the router is down"]}]
    sections: list[Section] = []
    for family in Family:
        weighed = weigh(state.routes, router, group, family)
        title = f"{router} to {group}, IP{family}"
        if not weighed:
            sections.append({"title": title, "text": ["no route: nothing it may hold covers this group"]})
            continue
        if weighed[0][0].route.group != group:
            title += f", by the {weighed[0][0].route.group} route"
        columns = ["exit", "port", "kind", ">pref", ">path", ">MED", "learned", ">IGP", "verdict"]
        rows = [_candidate(candidate, verdict) for candidate, verdict in weighed]
        sections.append({"title": title, "columns": columns, "rows": rows})
    return sections


def _candidate(candidate: Candidate, verdict: str) -> tuple[object, ...]:
    r = candidate.route
    path = " ".join(map(str, r.path)) or "-"
    return r.router, r.port or "-", r.kind, r.local_pref, path, r.med, candidate.learned, candidate.metric, verdict


def _demand(state: State, name: str) -> list[Section]:
    _find(name, (d.name for d in state.net.demands), "demand")
    mine = [d for d in state.loads.deliveries if d.demand.name == name]
    sections = [] if mine else [{"title": name, "text": ["it has shrunk to nothing"]}]
    for d in mine:
        late = (
            ""
            if d.latency_max is None
            else f", {show_time(d.latency_mean or 0)} on average, {show_time(d.latency_max)} at most"
        )
        text = [f"{show_rate(d.rate)} of {d.demand.cls}: {show_rate(d.delivered)} arrives{late}"]
        text += [f"lost: {show_rate(rate)} at {where}: {reason}" for reason, where, rate in d.lost]
        text += [f"leaves by {exit_}: {show_rate(rate)}" for exit_, rate in d.exits]
        text += [f"path: {path}" for path in dict.fromkeys(d.paths)]
        title = f"{name}, IP{d.family}, {d.demand.source} to {d.demand.target}"
        sections.append({"title": title, "text": text})
        sections.append(_hops(state, name, d.family))
    return sections


def _hops(state: State, name: str, family: Family) -> Section:
    """Return what every router that the demand meets does with it, in the order they are met."""
    flows = [f for f in state.flows.flows if f.demand == name and f.family is family]
    rows: list[tuple[str, str, str]] = []
    todo = [f.start for f in flows]
    seen: set[str] = set()
    while todo and flows:
        router = todo.pop(0)
        if router in seen:
            continue
        seen.add(router)
        step = state.loads.fib.step(router, flows[0].group, flows[0].cls, family)
        todo += step.heads
        if step.reason is not None:
            rows.append((router, "drops it", str(step.reason)))
        elif not step.turns:
            rows.append((router, "delivers it", ", ".join(step.ports) or "here"))
        for turn in step.turns:
            ways = [w.lsp.id if w.lsp else w.arcs[0].name for w in turn.ways]
            rows.append((router, f"aims at {turn.exit}", ", ".join(ways)))
    return {"title": "hop by hop, every router for itself", "columns": ["router", "does", "over"], "rows": rows}


def _circuit(proof: Proof, name: str) -> list[Section]:
    state = proof.settled
    known = [*proof.net.circuit, *(a.name for a in proof.cold.reach.arcs)]
    if name not in known:
        raise _unknown(f"no circuit is called '{name}'{_some(name, list(proof.net.circuit))}", nearest(name, known))
    circuit, _, tail = name.partition("@")
    arcs = [a for a in sorted(state.reach.arcs) if a.circuit == circuit and tail in ("", a.tail)]
    if not arcs:
        return [{"title": f"circuit {name}", "text": ["it is down, or a router at its end is"]}]
    return [section for arc in arcs for section in _arc(state, arc.name)]


def _arc(state: State, name: str) -> list[Section]:
    row = next(r for r in state.records["circuits"] if r["arc"] == name)
    load = [f"{c.name} {show_rate(int(row[f'load.{c.name}'] or 0))}" for c in state.net.classes]
    text = [
        f"{show_rate(int(row['load'] or 0))} of {show_rate(int(row['capacity'] or 0))}, "
        f"{show_share(int(row['utilisation'] or 0))}: {', '.join(load)}; "
        f"{show_rate(int(row['lsp'] or 0))} in LSPs, {show_rate(int(row['igp'] or 0))} by the IGP"
    ]
    if row["lost"]:
        text.append(f"{show_rate(int(row['lost']))} does not fit and is lost")
    riding = [p for p in state.placement.placed if p.path and any(a.name == name for a in p.path) and p.reserved]
    carried = state.loads.lsps
    riding.sort(key=lambda p: (p.lsp.hold, -p.reserved, p.lsp.id))
    lsps = [
        (p.lsp.id, p.lsp.cls, f"{p.lsp.setup}/{p.lsp.hold}", show_rate(p.reserved), show_rate(carried.get(p.lsp.id, 0)))
        for p in riding
    ]
    using = [(rate, d) for d in state.loads.deliveries for arc, rate in d.arcs if arc == name and rate]
    using.sort(key=lambda u: (-u[0], u[1].demand.name, u[1].family))
    demands = [(d.demand.name, d.family, d.demand.cls, show_rate(rate)) for rate, d in using[:15]]
    more = f", the largest 15 of {len(using)}" if len(using) > 15 else ""
    return [
        {"title": f"circuit {name}", "text": text},
        {
            "title": "LSPs that reserve on it, best hold first",
            "columns": ["LSP", "class", "prio", ">holds", ">carries"],
            "rows": lsps,
        },
        {"title": f"demands on it{more}", "columns": ["demand", "family", "class", ">rate"], "rows": demands},
    ]
