"""Bypasses and standby paths: by hand, and against every simple path of small random networks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from nets import GIG, circuit, network, router
from te.telab import lsp, settle, with_lsps
from trunkline.igp.solve import Arc, arcs_of, solve
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Circuit, Lsp, Role
from trunkline.model.protection import Guard, Protection, Risks
from trunkline.te.cover import Cover, Part, covers
from trunkline.te.protect import protect
from trunkline.te.repairs import Bypass, Repairs, Unprotected
from trunkline.te.result import Placement


def risky(c: Circuit, *risks: str) -> Circuit:
    return replace(c, risks=risks)


@dataclass(frozen=True, eq=False)
class Protected(Repairs):
    """Backup paths with the network that has them."""

    net: Network = field(default_factory=Network)
    placement: Placement = field(default_factory=lambda: Placement((), ()))

    def covers(self) -> list[Cover]:
        return list(covers(self.net, self.placement, self))


def protected(net: Network, plan: Protection) -> Protected:
    net = replace(net, protection=plan)
    placement = settle(net)
    found = protect(net, solve(net), placement)
    return Protected(found.bypasses, found.standbys, found.without, found.lacking, net, placement)


def routers(path: tuple[Arc, ...]) -> str:
    return " ".join([path[0].tail, *(arc.head for arc in path)])


def shown(repairs: Repairs) -> dict[str, str]:
    return {b.name: f"{b.guard} {routers(b.path)}" for b in repairs.bypasses}


def why(repairs: Protected) -> dict[tuple[Part, str], Unprotected]:
    """The reasons for parts of the one LSP, its own ends left out."""
    return {(c.part, c.thing): c.reason for c in repairs.covers() if c.reason and c.part in (Part.LINK, Part.NODE)}


def ladder() -> Network:
    """a - b - c on top, d - e - f below, rungs between; the top is the cheaper one.  One LSP over it, a to c."""
    top = [circuit("a", "b", 1), circuit("b", "c", 1)]
    below = [circuit("d", "e", 1), circuit("e", "f", 1)]
    rungs = [circuit("a", "d", 1), circuit("b", "e", 1), circuit("c", "f", 1)]
    return with_lsps(network([*top, *below, *rungs]), lsp("a", "c", "x", 10))


def test_link_bypasses_end_at_the_next_hop() -> None:
    repairs = protected(ladder(), Protection(Guard.LINK))
    assert shown(repairs) == {"a-b@a>b.1": "link a d e b", "b-c@b>c.1": "link b e f c"}
    assert why(repairs) == {(Part.NODE, "b"): Unprotected.NOT_ASKED}
    ends = {c.part: c.reason for c in repairs.covers() if c.part in (Part.HEAD, Part.TAIL)}
    assert ends == {Part.HEAD: Unprotected.HEAD, Part.TAIL: Unprotected.TAIL}


def test_node_bypasses_end_behind_the_router_and_the_last_hop_has_one_around_the_circuit() -> None:
    repairs = protected(ladder(), Protection(Guard.NODE))
    assert shown(repairs) == {"a-b@a>c.1": "node a d e f c", "b-c@b>c.1": "link b e f c"}
    assert why(repairs) == {}


def test_without_a_way_around_the_router_there_is_one_around_the_circuit() -> None:
    """A second circuit beside a-b; nothing leads past b."""
    net = with_lsps(
        network([circuit("a", "b", 1), circuit("a", "b", 5, name="ab2"), circuit("b", "c", 1)]), lsp("a", "c", "x", 1)
    )
    repairs = protected(net, Protection(Guard.NODE))
    assert shown(repairs) == {"a-b@a>b.1": "link a b"}
    assert why(repairs) == {(Part.NODE, "b"): Unprotected.NO_PATH, (Part.LINK, "b-c@b"): Unprotected.NO_PATH}


def test_an_egress_pr_is_named_as_such() -> None:
    net = with_lsps(network([circuit("a", "b")], [router("b", role=Role.PR)]), lsp("a", "b", "x", 1))
    repairs = protected(net, Protection(Guard.LINK))
    assert repairs.covers()[-1].reason is Unprotected.EGRESS


def test_a_shared_risk_is_avoided_preferred_or_ignored() -> None:
    """a-b and ab2 lie in one duct; ab3 is apart and dear.  Without ab3 there is nothing but the duct."""
    duct = [risky(circuit("a", "b", 1), "duct"), risky(circuit("a", "b", 2, name="ab2"), "duct")]
    apart = circuit("a", "b", 9, name="ab3")
    whole, less = (with_lsps(network(c), lsp("a", "b", "x", 1)) for c in ([*duct, apart], duct))

    def path(net: Network, risks: Risks) -> tuple[list[str], tuple[str, ...]] | Unprotected:
        repairs = protected(net, Protection(Guard.LINK, risks=risks))
        if not repairs.bypasses:
            return why(repairs)[Part.LINK, "a-b@a"]
        return [arc.circuit for arc in repairs.bypasses[0].path], repairs.bypasses[0].shares

    assert [path(whole, r) for r in Risks] == [(["ab3"], ()), (["ab3"], ()), (["ab2"], ("ab2",))]
    assert [path(less, r) for r in Risks] == [Unprotected.RISK, (["ab2"], ("ab2",)), (["ab2"], ("ab2",))]


def parallels(*sizes: int, spare: int = 100) -> Network:
    """One circuit that LSPs of these sizes ride, and two dearer ones beside it with `spare` Gbit/s each."""
    beside = [circuit("a", "b", 5, spare, "p"), circuit("a", "b", 6, spare, "q")]
    lsps = [lsp("a", "b", f"x{i}", size) for i, size in enumerate(sizes)]
    return with_lsps(network([circuit("a", "b", 1, sum(sizes)), *beside]), *lsps)


def parts(repairs: Repairs) -> list[tuple[str, list[str], int]]:
    return [(b.path[0].circuit, [x.name for x in b.lsps], b.bandwidth // GIG) for b in repairs.bypasses]


def test_several_bypasses_share_the_lsps_the_largest_first() -> None:
    """50 to the first, 40 to the second, 30 to the smaller one (40), 20 to the then smaller one (50): 70 and 70."""
    repairs = protected(parallels(20, 30, 40, 50), Protection(Guard.LINK, 2))
    assert parts(repairs) == [("p", ["x3", "x0"], 0), ("q", ["x2", "x1"], 0)]
    repairs = protected(parallels(20, 30, 40, 50), Protection(Guard.LINK, 5))
    assert len(repairs.bypasses) == 2, "only two paths share no circuit"


def test_a_bypass_with_bandwidth_takes_what_fits_the_largest_first() -> None:
    """One of 140 does not fit 100: 50 + 40 do, 30 more do not.  Two of 70 fit, and half of 140 fits one."""
    whole = Protection(Guard.LINK, 1, share=MILLION)
    repairs = protected(parallels(20, 30, 40, 50), whole)
    assert parts(repairs) == [("p", ["x3", "x2"], 90)]
    lacking = {c.lsp.name: c.reason for c in repairs.covers() if c.part is Part.LINK and c.reason}
    assert lacking == dict.fromkeys(("x0", "x1"), Unprotected.BANDWIDTH)
    repairs = protected(parallels(20, 30, 40, 50), replace(whole, per_circuit=2))
    assert parts(repairs) == [("p", ["x3", "x0"], 70), ("q", ["x2", "x1"], 70)]
    repairs = protected(parallels(20, 30, 40, 50), replace(whole, share=MILLION // 2))
    assert parts(repairs) == [("p", ["x3", "x2", "x1", "x0"], 70)]


def test_a_stated_rate_and_only_some_classes() -> None:
    repairs = protected(parallels(10), Protection(Guard.LINK, bandwidth=101 * GIG))
    assert why(repairs) == {(Part.LINK, "a-b@a"): Unprotected.BANDWIDTH}
    repairs = protected(parallels(10), Protection(Guard.LINK, bandwidth=100 * GIG))
    assert parts(repairs) == [("p", ["x0"], 100)]
    repairs = protected(parallels(10), Protection(Guard.LINK, classes=("bulk",)))
    assert why(repairs) == {(Part.LINK, "a-b@a"): Unprotected.NOT_ASKED}


def test_a_standby_shares_no_circuit_and_where_that_is_possible_no_router() -> None:
    """Without a-d the second path crosses b as well, over the second circuit beside a-b."""

    def standby(net: Network, how: str) -> tuple[str, tuple[str, ...], int] | Unprotected:
        net = replace(net, lsps=tuple(replace(x, standby=how) for x in net.lsps))
        repairs = protected(net, Protection())
        if not repairs.standbys:
            return repairs.without[0][1]
        (found,) = repairs.standbys
        return routers(found.path), found.routers, found.bandwidth // GIG

    def without(name: str) -> Network:
        return replace(ladder(), circuits=tuple(c for c in ladder().circuits if c.name != name))

    assert standby(ladder(), "unreserved") == ("a d e f c", (), 0)
    assert standby(ladder(), "reserved") == ("a d e f c", (), 10)
    beside = replace(without("a-d"), circuits=(*without("a-d").circuits, circuit("a", "b", 9, name="ab2")))
    assert standby(beside, "reserved") == ("a b e f c", ("b",), 10)
    assert standby(without("a-d"), "reserved") is Unprotected.NO_PATH
    thin = tuple(replace(c, reservable=5 * GIG) if c.name == "d-e" else c for c in ladder().circuits)
    assert standby(replace(ladder(), circuits=thin), "reserved") is Unprotected.BANDWIDTH
    assert standby(replace(ladder(), circuits=thin), "unreserved") == ("a d e f c", (), 0)
    duct = tuple(risky(c, "duct") if c.name in ("b-c", "e-f") else c for c in ladder().circuits)
    assert standby(replace(ladder(), circuits=duct), "reserved") is Unprotected.RISK


def test_an_lsp_on_standby_needs_no_bypass_to_be_covered() -> None:
    net = replace(ladder(), lsps=tuple(replace(x, standby="reserved") for x in ladder().lsps))
    repairs = protected(net, Protection())
    assert [(c.part, c.how) for c in repairs.covers()[1:-1]] == [
        (Part.LINK, "standby"), (Part.NODE, "standby"), (Part.LINK, "standby"),
    ]  # fmt: skip


def test_an_lsp_whose_standby_is_not_to_be_had_says_why() -> None:
    """With b-c and e-f in one duct a b c has none; with a second circuit beside a-b it has one, through b again."""

    def lacking(circuits: tuple[Circuit, ...]) -> dict[tuple[Part, str], Unprotected]:
        lsps = tuple(replace(x, standby="reserved") for x in ladder().lsps)
        return why(protected(replace(ladder(), circuits=circuits, lsps=lsps), Protection()))

    duct = tuple(risky(c, "duct") if c.name in ("b-c", "e-f") else c for c in ladder().circuits)
    hops = [(Part.LINK, "a-b@a"), (Part.NODE, "b"), (Part.LINK, "b-c@b")]
    assert lacking(duct) == dict.fromkeys(hops, Unprotected.RISK)
    without = tuple(c for c in ladder().circuits if c.name != "a-d")
    beside = (*without, circuit("a", "b", 9, name="ab2"))
    assert lacking(beside) == {(Part.NODE, "b"): Unprotected.STANDBY}


# ---- random networks, every simple path tried


def world(seed: int) -> Network:
    """Four to six routers, circuits that share ducts, and LSPs that fill some of them."""
    pick = random.Random(seed)  # noqa: S311
    names = "abcdef"[: pick.randint(4, 6)]
    pairs = [(x, y) for i, x in enumerate(names) for y in names[i + 1 :]]
    chosen = pick.sample(pairs, min(len(pairs), len(names) + pick.randint(0, 4)))
    circuits = []
    for i, (x, y) in enumerate(sorted([*chosen, *pick.sample(chosen, pick.randint(0, 2))])):
        made = circuit(x, y, pick.randint(1, 3), pick.choice([10, 40]), f"c{i}", pick.randint(1, 3))
        circuits.append(risky(made, *pick.sample(["d1", "d2", "d3"], pick.choice([0, 0, 1, 2]))))
    ends = [pick.sample(names, 2) for _ in range(pick.randint(1, 8))]
    lsps: list[Lsp] = []
    for i, (x, y) in enumerate(ends):
        made_lsp = lsp(x, y, f"l{i}", pick.randint(0, 12), pick.randint(0, 7))
        lsps.append(replace(made_lsp, standby=pick.choice(["none", "none", "unreserved", "reserved"])))
    known = [router(n, overload=pick.random() < 0.1) for n in names]
    share = pick.choice([0, 0, MILLION // 2, MILLION])
    plan = Protection(pick.choice(list(Guard)), pick.randint(1, 3), 0, share, pick.choice(list(Risks)))
    return replace(with_lsps(network(circuits, known), *lsps), protection=plan)


def simple_paths(net: Network, start: str, end: str, room: dict[Arc, int], least: int) -> Iterator[tuple[Arc, ...]]:
    """Every path without a router twice, over arcs with room for so much, through no overloaded router."""
    arcs = arcs_of(net)

    def onwards(path: tuple[Arc, ...], at: str) -> Iterator[tuple[Arc, ...]]:
        if at == end:
            yield path
        elif at == start or not net.router[at].overload:
            seen = {start, *(arc.head for arc in path)}
            for arc in arcs:
                if arc.tail == at and arc.head not in seen and room[arc] >= least:
                    yield from onwards((*path, arc), arc.head)

    return onwards((), start)


def spare(net: Network, placement: Placement) -> dict[Arc, int]:
    return {r.arc: r.reservable - sum(r.held) for r in placement.reservations}


def shares(net: Network, one: str, other: str) -> bool:
    return bool(set(net.circuit[one].risks) & set(net.circuit[other].risks))


def forbidden(net: Network, b: Bypass, arc: Arc) -> bool:
    """Whether a bypass may not use an arc: of what it protects, or, unless the file says otherwise, of its risks."""
    around = b.guard is Guard.NODE and b.arc.head in (arc.tail, arc.head)
    risk = net.protection.risks is Risks.AVOID and shares(net, arc.circuit, b.arc.circuit)
    return arc.circuit == b.arc.circuit or around or risk


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6))
def test_a_bypass_avoids_what_it_protects_and_merges_behind_it(seed: int) -> None:
    net = world(seed)
    placement = settle(net)
    repairs = protect(net, solve(net), placement)
    paths = {p.lsp.id: p.path or () for p in placement.placed}
    for b in repairs.bypasses:
        assert not any(forbidden(net, b, arc) for arc in b.path)
        assert (b.path[0].tail, b.path[-1].head) == (b.arc.tail, b.merge)
        assert set(b.shares) == {a.circuit for a in b.path if shares(net, a.circuit, b.arc.circuit)}
        for x in b.lsps:
            at = paths[x.id].index(b.arc)
            assert paths[x.id][at + (b.guard is Guard.NODE)].head == b.merge
    groups = Counter((b.arc, b.merge, b.guard) for b in repairs.bypasses)
    assert all(count <= net.protection.per_circuit for count in groups.values())
    each = Counter((x.id, b.arc) for b in repairs.bypasses for x in b.lsps)
    assert set(each.values()) <= {1}


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6))
def test_standbys_are_disjoint_and_nothing_is_booked_twice(seed: int) -> None:
    net = world(seed)
    placement = settle(net)
    repairs = protect(net, solve(net), placement)
    room = spare(net, placement)
    for path, bandwidth in [(s.path, s.bandwidth) for s in repairs.standbys] + [
        (b.path, b.bandwidth) for b in repairs.bypasses
    ]:
        for arc in path:
            room[arc] -= bandwidth
    assert min(room.values()) >= 0
    for s in repairs.standbys:
        first = {arc.circuit for p in placement.placed if p.lsp == s.lsp for arc in p.path or ()}
        assert not first & {arc.circuit for arc in s.path}
        sharing = {a.circuit for a in s.path if any(shares(net, a.circuit, c) for c in first)}
        assert set(s.shares) == sharing
        assert not sharing or net.protection.risks is not Risks.AVOID


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6))
def test_there_is_a_bypass_whenever_there_can_be_one_and_it_is_the_best(seed: int) -> None:
    """One bypass each and no bandwidth: the least (metric, hops, bottleneck, names) of every path there is, or none."""
    net = world(seed)
    lsps = tuple(replace(x, standby="none") for x in net.lsps)
    plan = Protection(Guard.NODE, 1, risks=random.Random(seed).choice([Risks.AVOID, Risks.IGNORE]))  # noqa: S311
    net = replace(net, lsps=lsps, protection=plan)
    placement = settle(net)
    repairs = protect(net, solve(net), placement)
    room = spare(net, placement)

    def best(p_arc: Arc, merge: str, guard: Guard) -> tuple[Arc, ...] | None:
        probe = Bypass("", guard, p_arc, merge, (), 0, (), 0, ())
        ways = simple_paths(net, p_arc.tail, merge, room, 0)
        ok = [way for way in ways if not any(forbidden(net, probe, arc) for arc in way)]
        return min(ok, key=lambda w: (sum(a.metric for a in w), len(w), -min(room[a] for a in w), w), default=None)

    for p in placement.placed:
        path = p.path or ()
        for k, arc in enumerate(path):
            node = best(arc, path[k + 1].head, Guard.NODE) if k + 1 < len(path) else None
            link = best(arc, arc.head, Guard.LINK)
            found = repairs.bypass.get((p.lsp.id, arc))
            assert (found.path if found else None) == (node or link)
            assert not found or found.guard is (Guard.NODE if node else Guard.LINK)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6))
def test_there_is_a_standby_whenever_there_can_be_one_and_it_is_the_best(seed: int) -> None:
    """Without bandwidth: around the first path's circuits (and risks), and its routers too if any path does that."""
    net = world(seed)
    risks = random.Random(seed).choice([Risks.AVOID, Risks.IGNORE])  # noqa: S311
    lsps = tuple(replace(x, standby="unreserved") for x in net.lsps)
    net = replace(net, lsps=lsps, protection=Protection(risks=risks))
    placement = settle(net)
    repairs = protect(net, solve(net), placement)
    room = spare(net, placement)
    for p in placement.placed:
        first = p.path or ()
        used, middle = {arc.circuit for arc in first}, {arc.head for arc in first[:-1]}
        bad = {
            c.name for c in net.circuits if c.name in used
            or (risks is Risks.AVOID and any(shares(net, c.name, name) for name in used))
        }  # fmt: skip
        ways = [w for w in simple_paths(net, p.lsp.head, p.lsp.tail, room, 0) if not bad & {a.circuit for a in w}]
        apart = [w for w in ways if not middle & {a.head for a in w}]
        best = min(
            apart or ways, key=lambda w: (sum(a.metric for a in w), len(w), -min(room[a] for a in w), w), default=None
        )
        found = repairs.standby.get(p.lsp.id)
        assert (found.path if found else None) == (best if first else None)
