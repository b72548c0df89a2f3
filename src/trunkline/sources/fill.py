"""From a sketch to the network file's own keys: what the source lacks is filled by named rules, each one recorded.

What is made up for all entries alike stands once, under `defaults`, where it is easily changed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from trunkline.model.units import exact_time
from trunkline.sources.distance import kilometres, measured
from trunkline.sources.naming import LONG, Names
from trunkline.sources.rules import Ledger
from trunkline.sources.sketch import Link, Node, Sketch
from trunkline.sources.written import degrees, length_text, rate_text

CAPACITY, LATENCY, IN_SITE = "100G", "1ms", "10us"
CLASS, REGION, NO_RSVP = "traffic", "main", "no-rsvp"

Entry = dict[str, Any]


@dataclass(frozen=True)
class Filled:
    """The sections of a network file as plain values, in the order in which they are written."""

    name: str
    sections: dict[str, Any]


def fill(sketch: Sketch, ledger: Ledger, gravity: int | None = None) -> Filled:
    """Return the whole file of a sketch that `check` has passed, with demands of `gravity` bit/s in all if asked."""
    return _Fill(sketch, ledger, gravity).done()


class _Fill:
    def __init__(self, sketch: Sketch, ledger: Ledger, gravity: int | None) -> None:
        self.sketch = sketch
        self.gravity = gravity
        self.ledger = ledger
        self.names = Names(ledger)
        self.named = any(node.name for node in sketch.nodes)
        self.where = measured(sketch, ledger)
        self.nodes = {node.id: node for node in sketch.nodes}
        self.routers = {node.id: self.names.take(self._router(node)) for node in sketch.nodes}
        self.circuits: list[str] = []
        self.site_regions = {node.site: node.region for node in sketch.nodes if node.site and node.region}
        self.risks: dict[str, str] = {}
        self.defaults: dict[str, Entry] = {}

    def _router(self, node: Node) -> str:
        if node.name or not self.named:
            return self.names.clean(node.name or node.id, "node")
        name = self.names.clean(f"node-{node.id}", "node")
        self.ledger.apply("name-missing", name)
        return name

    def done(self) -> Filled:
        circuits = self._circuits()
        regions, sites, routers = self._places()
        lsps = self._lsps()
        demands = self._demands()
        sections: dict[str, Any] = {"defaults": self.defaults, "regions": regions, "sites": sites}
        sections |= {"routers": routers, "circuits": circuits}
        if lsps or demands:
            sections["classes"] = {CLASS: {}}
            self.ledger.apply("class-one", CLASS)
        sections |= {"lsps": lsps, "demands": demands}
        name = self.names.clean(self.sketch.name, "network")
        return Filled(name, {key: value for key, value in sections.items() if value})

    def _default(self, section: str, key: str, value: Any) -> None:
        self.defaults.setdefault(section, {})[key] = value

    # Circuits come before sites and regions, whose names matter less where two things want the same.

    def _circuits(self) -> list[Entry]:
        pairs = Counter(self._pair(link) for link in self.sketch.links)
        seen: Counter[str] = Counter()
        entries = []
        for link in self.sketch.links:
            pair = self._pair(link)
            seen[pair] += 1
            name = self._circuit_name(link, pair, seen[pair] if pairs[pair] > 1 else 0)
            self.circuits.append(name)
            entry: Entry = {"name": name} if name != pair else {}
            entry |= {"a": self.routers[link.a], "b": self.routers[link.b]}
            entries.append(entry | self._capacity(link, name) | self._latency(link, name) | self._rest(link, name))
        return entries

    def _pair(self, link: Link) -> str:
        return "--".join(sorted((self.routers[link.a], self.routers[link.b])))

    def _circuit_name(self, link: Link, pair: str, number: int) -> str:
        if link.name:
            return self.names.take(self.names.clean(link.name, pair, LONG))
        if not number:
            return self.names.take(pair)
        name = self.names.take(f"{pair}-{number}")
        self.ledger.apply("name-parallel", name)
        return name

    def _capacity(self, link: Link, name: str) -> Entry:
        if link.capacity is not None:
            return {"capacity": rate_text(link.capacity)}
        self._default("circuits", "capacity", CAPACITY)
        self.ledger.apply("capacity-default", name)
        return {}

    def _latency(self, link: Link, name: str) -> Entry:
        if link.latency is not None:
            return {"latency": exact_time(link.latency)}
        if link.length is not None:
            return {"length": length_text(link.length)}
        a, b = self.nodes[link.a], self.nodes[link.b]
        if a.site and a.site == b.site:
            self.ledger.apply("latency-in-site", name)
            return {"latency": IN_SITE}
        if a.id in self.where and b.id in self.where:
            self.ledger.apply("latency-by-distance", name)
            return {"length": length_text(kilometres(self.where[a.id], self.where[b.id]))}
        self._default("circuits", "latency", LATENCY)
        self.ledger.apply("latency-default", name)
        return {}

    def _rest(self, link: Link, name: str) -> Entry:
        entry: Entry = {}
        if link.metric is None:
            self.ledger.apply("metric-by-latency", name)
        elif link.metric_back is None or link.metric_back == link.metric:
            entry["metric"] = link.metric
        else:
            entry["metric"] = {"ab": link.metric, "ba": link.metric_back}
        if link.reservable is not None:
            entry["reservable"] = rate_text(link.reservable)
        if link.risks:
            entry["risks"] = [self._risk(risk) for risk in link.risks]
        if not link.rsvp:
            entry["groups"] = [NO_RSVP]
            self._default("lsps", "exclude", [NO_RSVP])
            self.ledger.apply("rsvp-off", name)
        return entry

    def _risk(self, raw: str) -> str:
        if raw not in self.risks:
            self.risks[raw] = self.names.take(self.names.clean(raw, "risk"))
        return self.risks[raw]

    def _places(self) -> tuple[list[str], dict[str, Entry], dict[str, Entry]]:
        regions: dict[str, str] = {}
        named: dict[str, str] = {}
        sites: dict[str, Entry] = {}
        routers: dict[str, Entry] = {}
        for node in self.sketch.nodes:
            router = self.routers[node.id]
            site = named.get(node.site) if node.site else None
            if site is None:
                site = self._site_name(node, router)
                if node.site:
                    named[node.site] = site
                sites[site] = self._region(node, regions)
            if "at" not in sites[site] and node.id in self.where:
                sites[site]["at"] = [degrees(angle) for angle in self.where[node.id]]
            routers[router] = {"site": site} | self._role(node, router)
        return list(regions.values()), sites, routers

    def _site_name(self, node: Node, router: str) -> str:
        if node.site:
            return self.names.take(self.names.clean(node.site, "site"))
        self.ledger.apply("site-per-node", router)
        return self.names.take(f"{router}-site")

    def _region(self, node: Node, regions: dict[str, str]) -> Entry:
        region = node.region or self.site_regions.get(node.site, "")
        if region not in regions:
            regions[region] = self.names.take(self.names.clean(region or REGION, "region"))
        if region:
            return {"region": regions[region]}
        self.ledger.apply("region-one", self.routers[node.id])
        self._default("sites", "region", regions[""])
        return {}

    def _role(self, node: Node, router: str) -> Entry:
        if node.role:
            return {"role": node.role}
        self.ledger.apply("role-bb", router)
        self._default("routers", "role", "bb")
        return {}

    def _lsps(self) -> list[Entry]:
        heads: dict[str, Names] = {}
        entries = []
        for lsp in self.sketch.lsps:
            names = heads.setdefault(lsp.head, Names(self.ledger))
            name = names.take(names.clean(lsp.name, "lsp", LONG))
            entry: Entry = {"name": name, "from": self.routers[lsp.head], "to": self.routers[lsp.tail]}
            entry |= {key: at for key, at in (("setup", lsp.setup), ("hold", lsp.hold)) if at is not None}
            if lsp.bandwidth is not None:
                entry["bandwidth"] = rate_text(lsp.bandwidth)
            if lsp.path:
                entry["paths"] = [[self.circuits[index] for index in lsp.path]]
            entries.append(entry)
            self._default("lsps", "class", CLASS)
        return entries

    def _demands(self) -> list[Entry]:
        names = Names(self.ledger)
        entries: list[Entry] = []
        if self.gravity is not None:
            self.ledger.apply("gravity", f"{rate_text(self.gravity)} between {len(self.routers)} routers")
            everyone = list(self.routers.values())
            entries.append({"gravity": {"total": rate_text(self.gravity), "class": CLASS, "from": everyone}})
        for demand in self.sketch.demands:
            start, end = self.routers[demand.source], self.routers[demand.target]
            if start == end:
                self.ledger.apply("demand-to-itself", start)
                continue
            if not demand.rate:
                self.ledger.apply("demand-zero", f"{start} to {end}")
                continue
            usual = f"{CLASS}.{start}.{end}"
            name = names.take(names.clean(demand.name, usual, LONG) if demand.name else usual)
            entry: Entry = {"name": name} if name != usual else {}
            entries.append(entry | {"from": start, "to": end, "rate": rate_text(demand.rate)})
            self._default("demands", "class", CLASS)
        return entries
