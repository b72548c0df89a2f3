"""Order-fragility and explanations on networks small enough to see through."""

from __future__ import annotations

from nets import GIG, circuit, network
from te.telab import NO_FLOWS, lsp, settle, with_lsps
from trunkline.igp.solve import solve
from trunkline.te.explain import explain
from trunkline.te.fragile import order_fragile


def test_two_head_ends_want_the_last_room() -> None:
    # x and y both need m-z, which has room for one of them: whoever signals first gets it, the other goes by n.
    # Two head-ends, two orders: in one of two each LSP has another path.
    net = with_lsps(
        network(
            [circuit("x", "m"), circuit("y", "m"), circuit("m", "z"), circuit("m", "n", 20), circuit("n", "z", 20)]
        ),
        lsp("x", "z", "p", 60),
        lsp("y", "z", "q", 60),
    )
    found = order_fragile(net, net, solve(net), NO_FLOWS)
    assert (found.orders, found.exhaustive) == (2, True)
    assert [(f.lsp, f.differs) for f in found.lsps] == [("x/p", 1), ("y/q", 1)]
    assert found.lsps[0].outcomes == ((("x-m@x", "m-z@m"), 1), (("x-m@x", "m-n@m", "n-z@n"), 1))


def test_priorities_leave_nothing_to_the_order() -> None:
    net = with_lsps(
        network([circuit("x", "m"), circuit("y", "m"), circuit("m", "z")]),
        lsp("x", "z", "p", 60, 2),
        lsp("y", "z", "q", 60, 5),
    )
    assert order_fragile(net, net, solve(net), NO_FLOWS).lsps == ()


def test_six_head_ends_are_sampled_and_say_so() -> None:
    names = ["a", "b", "c", "d", "e", "f"]
    net = with_lsps(network([circuit(n, "z") for n in names]), *(lsp(n, "z", f"l{n}", 1) for n in names))
    found = order_fragile(net, net, solve(net), NO_FLOWS, tries=10)
    assert (found.orders, found.exhaustive, found.lsps) == (10, False, ())


def test_why_an_lsp_is_off_its_shortest_path() -> None:
    # a-b (metric 10) holds 70 of 100 for an LSP of better priority; 40 more do not fit, so it goes a-c-b (metric 30).
    net = with_lsps(
        network(
            [
                circuit("a", "b", 10),
                circuit("a", "c", 15),
                circuit("b", "c", 15),
                circuit("a", "d", 40),
                circuit("b", "d", 40),
            ]
        ),
        lsp("a", "b", "first", 70, 2),
        lsp("a", "b", "second", 40, 5),
    )
    why = explain(net, net, solve(net), settle(net), "a/second")
    assert why.shortest is not None
    assert [arc.name for arc in why.shortest.path] == ["a-b@a"]
    assert [(f.arc.name, f.unreserved, [h.lsp.name for h in f.holders]) for f in why.full] == [
        ("a-b@a", 30 * GIG, ["first"])
    ]
    assert why.taken is not None
    assert (why.taken.metric, why.taken.bottleneck) == (30, 100 * GIG)
    assert why.beaten is not None
    assert ([arc.name for arc in why.beaten.path], why.beaten.metric) == (["a-d@a", "b-d@d"], 80)
    assert why.rule == "metric"
