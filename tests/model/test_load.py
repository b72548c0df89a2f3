"""A file by hand against its Network by hand; the order of the file; derived values; what the document remembers."""

from __future__ import annotations

import json
from decimal import Decimal
from ipaddress import IPv4Address, IPv4Network, IPv6Address
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trunkline.model.event import Cut, Grow, Overload, Reoptimize, Restore
from trunkline.model.load import Loaded, load, load_events
from trunkline.model.network import Network
from trunkline.model.nouns import (
    Announcement,
    Card,
    Circuit,
    Datacenter,
    Demand,
    Family,
    Hop,
    Ibgp,
    Igp,
    Kind,
    Lsp,
    Measure,
    Objective,
    Peer,
    Port,
    PrefixGroup,
    Role,
    Router,
    Site,
    Te,
    TrafficClass,
)
from trunkline.model.policy import PolicyRule
from trunkline.model.problem import Problems
from trunkline.model.protection import Guard, Protection, Risks
from trunkline.model.rates import DEFAULTS, FailureSet, OwnRate

GIG = 10**9

WHOLE = (Path(__file__).parent / "good" / "whole.yaml").read_text(encoding="utf-8")


def loaded(tmp_path: Path, text: str, name: str = "net.yaml") -> Loaded:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return load(file)


def test_count_and_members_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(Problems, match="`count` and `members` exclude each other"):
        loaded(tmp_path, WHOLE.replace("count: 2", "count: 2, members: 1"))


def test_every_field_of_a_whole_file(tmp_path: Path) -> None:
    net = loaded(tmp_path, WHOLE).network
    assert net.regions == ("e", "w")
    assert net.sites == (Site("n", "e", 40.5, -74.0), Site("s", "w"))
    assert net.routers == (
        Router("n1", "n", "e", Role.DR, False, IPv4Address("192.0.2.1"), IPv6Address("2001:db8::1")),
        Router("n2", "n", "e", Role.PR, True, IPv4Address("192.0.2.2"), IPv6Address("2001:db8::2")),
        Router("s1", "s", "w", Role.BB, False, IPv4Address("192.0.2.3"), IPv6Address("2001:db8::3")),
    )
    # 100 km at 4.9 us is 490 us, one metric a 10 us is 49; 8.5 ms is 850.  90 % of 100G is 90G.
    assert net.circuits == (
        Circuit("long", "s1", "n1", 100 * GIG, 490, 49, 49, 7, 8, 90 * GIG, ("duct1", "duct2"), ("blue",)),
        Circuit("n1--n2", "n1", "n2", 1600 * GIG, 20, 1, 1, 1, 1, 1600 * GIG),
        Circuit("pair-1", "n2", "s1", 100 * GIG, 8500, 850, 850, 850, 850, 100 * GIG),
        Circuit("pair-2", "n2", "s1", 100 * GIG, 8500, 850, 850, 850, 850, 100 * GIG),
    )
    assert net.groups == (
        PrefixGroup("cdn", 2, 0, (IPv4Network("192.0.2.0/24"), IPv4Network("198.51.100.0/24"))),
        PrefixGroup("dc", 20, 1),
        PrefixGroup("net", 900_000, 200_000),
    )
    assert net.peers == (
        Peer(
            "isp",
            Kind.TRANSIT,
            64501,
            (
                Port("isp@n2", "isp", "n2", 10 * GIG, None, 90),
                Port("isp@n2#2", "isp", "n2", 20 * GIG, 5 * GIG, 90, 3),
            ),
            (
                Announcement("cdn", (64501, 7), 9, "egp", ("isp@n2", "isp@n2#2")),
                Announcement("net", (64501,)),
            ),
        ),
    )
    assert net.datacenters == (Datacenter("dc", "n", ("n1",)),)
    assert net.igp == Igp(multi_topology=True)
    assert net.ibgp == Ibgp("regional", "frr", (PolicyRule(False, Kind.TRANSIT, "e", side="import"),), True, 4)
    assert net.te == Te("6pe", "equal")
    assert net.classes == (
        TrafficClass("bulk", 0, 0, 40, 7, 7),
        TrafficClass("gold", 46, 5, None, 3, 2, ("bulk", "drop")),
    )
    paths = ((Hop("n2"), Hop("s1", loose=True)), ())
    assert net.lsps == (
        *(Lsp("n1", f"m.{tail}.{k}", tail, "bulk", 6, 6, None) for tail in ("n2", "s1") for k in (1, 2)),
        Lsp("n1", "one", "s1", "gold", 3, 2, 5 * GIG, exclude=("blue",), hop_limit=4, paths=paths),
    )
    assert net.demands == (Demand("gold.dc.net", "dc", "net", "gold", GIG, 300_000, 10_000_000),)
    assert net.objectives == (
        Objective("confined", Measure.CONFINED, None, 0),
        Objective("fast", Measure.LATENCY, "gold", 80_000),
        Objective("utilisation", Measure.UTILISATION, None, 800_000),
    )


SHORT = (Path(__file__).parent / "good" / "short.yaml").read_text(encoding="utf-8")


def test_counts_wiring_and_mesh_are_written_out(tmp_path: Path) -> None:
    net = loaded(tmp_path, SHORT).network
    assert [r.name for r in net.routers] == ["n-bb1", "n-bb2", "n-dr1", "n-dr2", "n-pr1", "s-bb1", "s-dr1"]
    # site n: bb1-bb2, and dr1, dr2, pr1 to each of the two BBs; site s: dr1 to bb1
    inside = {c.name for c in net.circuits if c.capacity == 800 * GIG}
    pairs = {f"n-bb{i}--n-{edge}" for i in (1, 2) for edge in ("dr1", "dr2", "pr1")}
    assert inside == pairs | {"n-bb1--n-bb2", "s-bb1--s-dr1"}
    assert {c.latency for c in net.circuits if c.name in inside} == {10}
    assert [c.name for c in net.circuits if c.capacity == 400 * GIG] == ["n-bb1--s-bb1", "z-1", "z-2"]
    assert [lsp.id for lsp in net.lsps] == [
        "n-dr1/gold.n-dr2.1", "n-dr1/gold.s-dr1.1", "n-dr2/gold.n-dr1.1",
        "n-dr2/gold.s-dr1.1", "s-dr1/gold.n-dr1.1", "s-dr1/gold.n-dr2.1",
    ]  # fmt: skip
    assert {d.name: d.rate for d in net.demands} == {
        "gold.d1.d2": 7 * GIG,
        # weights d1 2, d2 1, n-pr1 1; the target of a demand is no peer, and a router will do.  The products are
        # 2 2 2 1 2 1, ten in all: of 100 bit/s a tenth is 10
        "bulk.d1.d2": 20, "bulk.d1.n-pr1": 20, "bulk.d2.d1": 20,
        "bulk.d2.n-pr1": 10, "bulk.n-pr1.d1": 20, "bulk.n-pr1.d2": 10,
    }  # fmt: skip


def test_gravity_sums_exactly_by_largest_remainder(tmp_path: Path) -> None:
    net = loaded(tmp_path, SHORT.replace("total: 100,", "total: 104,")).network
    # exact shares 20.8 (four of them) and 10.4 (two): floors sum to 100, the four largest remainders get one more
    rates = {d.name: d.rate for d in net.demands if d.cls == "bulk"}
    assert sorted(rates.values()) == [10, 10, 21, 21, 21, 21]
    assert rates["bulk.d2.n-pr1"] == rates["bulk.n-pr1.d2"] == 10


@pytest.mark.parametrize(
    ("rule", "metric"),
    [("latency", 3000), ("capacity", 25), ("77", 77)],  # 30 ms / 10 us; 10T / 400G; as given
)
def test_metric_rules(tmp_path: Path, rule: str, metric: int) -> None:
    net = loaded(tmp_path, f"{SHORT}igp: {{metric_rule: {rule}}}\n").network
    assert net.circuit["n-bb1--s-bb1"].metric_ab == metric
    assert net.circuit["n-bb1--n-bb2"].metric_ab == 1  # its own


ORDERED = ("at", "paths", "path", "fallback", "policy")
"""Keys whose lists mean their order (a place, path options, an AS path); a peer's `at` is turned round below."""


def shuffled(node: object, data: st.DataObject) -> object:
    """The same file with its maps and its unordered lists in another order."""
    if isinstance(node, dict):
        keys = data.draw(st.permutations(list(node)))
        return {key: node[key] if key in ORDERED else shuffled(node[key], data) for key in keys}
    if isinstance(node, list):
        return [shuffled(item, data) for item in data.draw(st.permutations(node))]
    return node


@given(st.data())
def test_the_order_of_the_file_does_not_matter(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("order")
    for text in (WHOLE, SHORT):
        tree = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - BaseLoader makes nothing but text
        if "peers" in tree:
            tree["peers"]["isp"]["at"].reverse()
        again = loaded(folder, json.dumps(shuffled(tree, data)), "net.json").network
        assert again == loaded(folder, text).network


def test_a_router_keeps_its_address_whatever_else_there_is(tmp_path: Path) -> None:
    before = loaded(tmp_path, SHORT).network.router["s-bb1"]
    after = loaded(tmp_path, SHORT.replace("dr: 2", "dr: 9")).network.router["s-bb1"]
    assert (before.loopback, before.loopback6) == (after.loopback, after.loopback6)
    assert before.loopback in IPv4Network("10.0.0.0/9")


def test_files_included_and_listed_are_one_network(tmp_path: Path) -> None:
    whole = loaded(tmp_path, SHORT)
    head, circuits = SHORT.split("circuits:\n")
    rest = circuits.split("classes:")[1]
    rows = "name,a,b,latency,count\n,n-bb1,s-bb1,30ms,\nz,s-bb1,n-bb2,31ms,2\n"
    (tmp_path / "long.csv").write_text(rows)
    (tmp_path / "rest.yaml").write_text(f"classes:{rest}")
    split = loaded(tmp_path, f"{head}include: [rest.yaml]\ncircuits: long.csv\n", "split.yaml")
    assert split.network == whole.network
    assert [Path(f).name for f in split.document.files] == ["split.yaml", "rest.yaml", "long.csv"]
    assert split.sha256 != whole.sha256


def test_the_including_file_names_and_scales(tmp_path: Path) -> None:
    (tmp_path / "inner.yaml").write_text(f"name: inner\n{SHORT}")
    net = loaded(tmp_path, "trunkline: 1\nname: outer\ninclude: inner.yaml\nscale: 10\n", "outer.yaml").network
    before = loaded(tmp_path, SHORT).network
    assert {d.name: d.rate for d in net.demands} == {d.name: d.rate * 10 for d in before.demands}


def test_a_site_may_refuse_the_default_wiring(tmp_path: Path) -> None:
    text = SHORT.replace("dr: 1, bb: 1}}", "dr: 1, bb: 1}, wiring: none}")
    assert "s-bb1--s-dr1" not in loaded(tmp_path, text).network.circuit
    assert "n-bb1--n-dr1" in loaded(tmp_path, text).network.circuit
    own = SHORT.replace("dr: 1, bb: 1}}", "dr: 1, bb: 1}, wiring: {capacity: 100G}}")
    circuit = loaded(tmp_path, own).network.circuit["s-bb1--s-dr1"]
    assert (circuit.capacity, circuit.metric_ab) == (100 * GIG, 1)  # its own capacity, the default's metric


def test_the_digest_is_of_contents_not_of_paths(tmp_path: Path) -> None:
    one = loaded(tmp_path, SHORT)
    (tmp_path / "other.yaml").write_bytes(b"\xef\xbb\xbf" + SHORT.replace("\n", "\r\n").encode())
    assert load(tmp_path / "other.yaml").sha256 == one.sha256
    assert loaded(tmp_path, SHORT + "# a note\n").sha256 != one.sha256


def test_the_document_says_where(tmp_path: Path) -> None:
    document = loaded(tmp_path, SHORT).document
    place = document.where(
        "circuits[1].latency"
    )  # 43 characters come before: `  - {name: z, a: s-bb1, b: n-bb2, latency: `
    assert place is not None
    assert (place.line, place.column) == (9, 44)
    spot = document.spot("circuit", "z-2")
    assert spot is not None
    assert (spot.place.line, spot.place.column, spot.field) == (9, 12, "circuits[1].name")
    assert document.where("circuits[9].latency") is None
    assert document.spot("circuit", "nothing") is None


def test_yaml_words_stay_text(tmp_path: Path) -> None:
    net = loaded(tmp_path, "trunkline: 1\nregions: [no, on, 2024, 1e3, 0x10, 012, null-island]\n").network
    assert net.regions == ("012", "0x10", "1e3", "2024", "no", "null-island", "on")


def test_merge_keys_and_aliases(tmp_path: Path) -> None:
    text = """\
trunkline: 1
classes:
  a: &a {dscp: 10, tc: 2, lsp_priority: 4}
  b: {<<: *a, tc: 3}
  c: *a
"""
    classes = loaded(tmp_path, text).network.cls
    assert [(classes[c].dscp, classes[c].tc, classes[c].setup) for c in "abc"] == [(10, 2, 4), (10, 3, 4), (10, 2, 4)]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("lsp_priority: 1", "lsp_priority: {setup: 7, hold: 0}"), "priority-trap"),
        (("{gold: {lsp_priority: 1}, bulk: {}}\n", "{gold: {}, bulk: {}}\n"), ""),
        (("dr: 1, bb: 1}}", "dr: 1, bb: 1, pr: 1}, wiring: none}"), "isolated"),
        (("circuits:\n", "igp: {topology: single}\ncircuits:\n  - {a: n-dr1, b: n-dr2, families: [v4]}\n"), "families"),
        (("datacenters:", "peers: {isp: {kind: transit, asn: 7, port: 1G, at: [n-pr1]}}\ndatacenters:"), "no-fallback"),
        (("datacenters:", "peers: {p: {kind: peering, asn: 7, port: 1G, at: [n-bb1]}}\ndatacenters:"), "port-role"),
    ],
)
def test_warnings(tmp_path: Path, change: tuple[str, str], code: str) -> None:
    assert change[0] in SHORT
    quiet = SHORT + "te: {v6_over_lsp: 6pe}\n"
    assert loaded(tmp_path, quiet).warnings == ()
    assert {w.code for w in loaded(tmp_path, quiet.replace(*change)).warnings} == ({code} if code else set())


def test_regions_without_transit_are_one_warning(tmp_path: Path) -> None:
    text = """\
trunkline: 1
regions: [a, b, c, empty]
sites: {s: {region: a}, t: {region: b}, u: {region: c}}
routers: {p: {site: s, role: pr}, q: {site: t, role: bb}, r: {site: u, role: bb}}
circuits: [{a: p, b: q, capacity: 1G, latency: 1ms}, {a: q, b: r, capacity: 1G, latency: 1ms}]
prefix_groups: {internet: {v4: 9}}
peers: {isp: {kind: transit, asn: 7, port: 1G, at: [p], announces: [internet]}}
"""
    found = [(w.line, w.column, w.message) for w in loaded(tmp_path, text).warnings if w.code == "no-fallback"]
    stay = "and transit routes stay in their region"
    assert found == [
        (2, 11, f"the region 'a' can lose the Internet: all its transit is at 'p', {stay}"),
        (2, 14, f"no transit in b, c, {stay}: no way to the Internet"),
    ]


def test_v6_off_the_lsps_is_warned_of(tmp_path: Path) -> None:
    assert loaded(tmp_path, SHORT).warnings == ()  # no demand has any IPv6
    six = SHORT.replace("rate: 7G", "rate: 7G, v6: 30%")
    assert [w.code for w in loaded(tmp_path, six).warnings] == ["v6-off-lsps"]


def test_events(tmp_path: Path) -> None:
    net = loaded(tmp_path, SHORT).network
    file = tmp_path / "events.yaml"
    file.write_text("""\
- cut: [z-1, n]
- grow: {factor: 140%, class: gold, from: d1, to: d2}
- restore: n
- overload: s-bb1
- reoptimize
""")
    assert load_events(file, net) == (
        Cut(("z-1", "n")),
        Grow(1_400_000, "gold", "d1", "d2"),
        Restore(("n",)),
        Overload(("s-bb1",)),
        Reoptimize(),
    )


def test_empty_network(tmp_path: Path) -> None:
    assert loaded(tmp_path, "trunkline: 1\n").network == Network()


def test_families_default_to_both(tmp_path: Path) -> None:
    assert loaded(tmp_path, SHORT).network.circuit["z-1"].families == (Family.V4, Family.V6)


def test_events_may_name_a_peer_port(tmp_path: Path) -> None:
    peers = (
        "prefix_groups: {internet: {v4: 9}}\n"
        "peers: {isp: {kind: transit, asn: 7, port: 1G, at: [n-pr1], announces: [internet]}}\n"
    )
    net = loaded(tmp_path, SHORT.replace("datacenters:", peers + "datacenters:")).network
    file = tmp_path / "events.yaml"
    file.write_text("- cut: isp@n-pr1\n")
    assert load_events(file, net) == (Cut(("isp@n-pr1",)),)
    file.write_text("- cut: isp@n-pr2\n")
    with pytest.raises(Problems, match="did you mean 'isp@n-pr1'"):
        load_events(file, net)


CARDS = """trunkline: 1
regions: [r]
sites: {s: {region: r}}
routers:
  a: {site: s, role: bb, cards: {2: more, 1: [short, long]}}
  b: {site: s, role: pr, cards: {0: [isp@b]}}
circuits:
  - {name: short, a: a, b: b, capacity: 10G}
  - {name: long, a: b, b: a, capacity: 10G}
  - {name: more, a: a, b: b, capacity: 40G, members: 4}
prefix_groups: {all: {v4: 1}}
peers: {isp: {kind: transit, asn: 64496, at: [b], announces: [all], port: 10G}}
failures: {sets: {storm: [b/0, a/1]}}
"""


def test_cards_of_a_file(tmp_path: Path) -> None:
    net = loaded(tmp_path, CARDS).network
    assert {r.name: r.cards for r in net.routers} == {
        "a": (Card("a/1", ("long", "short")), Card("a/2", ("more",))),
        "b": (Card("b/0", ("isp@b",)),),
    }
    assert net.failures.sets == (FailureSet("storm", ("a/1", "b/0")),)
    left = net.without("a/1", "b/0")
    assert ([c.name for c in left.circuits], left.ports) == (["more"], ())
    file = tmp_path / "events.yaml"
    file.write_text("- cut: a/2\n")
    assert load_events(file, net) == (Cut(("a/2",)),)
    file.write_text("- cut: b/00\n")
    with pytest.raises(Problems, match="did you mean 'b/0'"):
        load_events(file, net)


def test_failures_of_a_file(tmp_path: Path) -> None:
    text = WHOLE + "failures:\n  sets: {storm: [s1, duct1], flood: pair-1}\n  maintenance: [pair-2, long]\n"
    found = loaded(tmp_path, text).network.failures
    assert [(one.name, one.things) for one in found.sets] == [("flood", ("pair-1",)), ("storm", ("duct1", "s1"))]
    assert found.maintenance == ("long", "pair-2")


def test_protection_of_a_file(tmp_path: Path) -> None:
    """A share is of what is protected; without the section nobody asks for anything."""
    assert loaded(tmp_path, WHOLE).network.protection == Protection()
    text = WHOLE.replace("hop_limit: 4,", "hop_limit: 4, standby: reserved,")
    plan = "protection: {bypass: node, per_circuit: 2, bandwidth: 50%, risks: prefer, classes: [gold]}\n"
    net = loaded(tmp_path, text + plan).network
    assert net.protection == Protection(Guard.NODE, 2, 0, 500_000, Risks.PREFER, ("gold",))
    assert {p.name: p.standby for p in net.lsps if p.head == "n1"}["one"] == "reserved"
    assert {p.standby for p in net.lsps if p.name != "one"} == {"none"}
    assert loaded(tmp_path, WHOLE + "protection: {bandwidth: 5G}\n").network.protection == Protection(bandwidth=5 * GIG)


def test_rates_of_a_file(tmp_path: Path) -> None:
    """A kind keeps the defaults of what is left out; submarine fibre by its risk; a thing by its name."""
    rates = "  rates:\n    router: {per_year: 0.5}\n    submarine: {of: duct1}\n    named: {s1: {repair: 2d}}\n"
    found = loaded(tmp_path, WHOLE + "failures:\n" + rates).network.failures.rates
    assert (found.of("router").per_year, found.of("router").repair) == (Decimal("0.5"), 4 * 3600)
    assert found.of("site") == DEFAULTS["site"]
    assert found.submarine == {"duct1"}
    assert found.own("s1") == OwnRate(repair=2 * 86_400)


def test_an_objective_of_availability(tmp_path: Path) -> None:
    text = WHOLE.replace("objectives:\n", "objectives:\n  - {name: nines, availability: 99.999%}\n")
    (found,) = (o for o in loaded(tmp_path, text).network.objectives if o.name == "nines")
    assert (found.measure, found.limit) == (Measure.AVAILABILITY, 999_990_000)
