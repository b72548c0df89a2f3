"""What to type at a daemon so that it is told something else: by hand, and real FRR ends where the new file would."""

from __future__ import annotations

import pytest

from trunkline.devices.frr.commands import commands


def said(old: str, new: str) -> list[str]:
    return commands(old.strip("\n"), new.strip("\n"))


def test_nothing_where_nothing_changes() -> None:
    same = "router bgp 1\n bgp router-id 10.0.0.1\nexit\n"
    assert said(same, f"! a comment\n{same}!\nend") == []


def test_a_metric_is_written_over_and_never_its_default_in_between() -> None:
    old = "interface a\n isis metric 30\n isis bfd\nexit\ninterface b\n isis metric 30\nexit\n"
    assert said(old, old.replace("30", "31", 1)) == ["interface a", "isis metric 31", "exit"]


OLD = """
router bgp 1
 neighbor west-v4 peer-group
 neighbor west-v4 remote-as 1
 neighbor 10.0.0.2 peer-group west-v4
 neighbor 10.0.0.2 description w2
 neighbor 10.0.0.3 peer-group west-v4
 neighbor 10.0.0.3 description w3
 !
 address-family ipv4 unicast
  neighbor west-v4 activate
  neighbor west-v4 route-map mesh-to-west out
 exit-address-family
exit
route-map mesh-to-west permit 10
exit
"""


def test_a_neighbour_that_changes_its_peer_group_is_taken_out_first_and_told_all_again() -> None:
    new = OLD.replace(" neighbor 10.0.0.3 peer-group west-v4\n neighbor 10.0.0.3 description w3\n", "").replace(
        " !\n",
        " neighbor west+clients-v4 peer-group\n neighbor 10.0.0.3 peer-group west+clients-v4\n"
        " neighbor 10.0.0.3 description w3\n !\n",
    ).replace(" exit-address", "  neighbor west+clients-v4 activate\n exit-address")  # fmt: skip
    assert said(OLD, new) == [
        "router bgp 1",
        "no neighbor 10.0.0.3 peer-group west-v4",
        "exit",
        "router bgp 1",
        "neighbor west+clients-v4 peer-group",
        "neighbor 10.0.0.3 peer-group west+clients-v4",
        "neighbor 10.0.0.3 description w3",
        "address-family ipv4 unicast",
        "neighbor west+clients-v4 activate",
        "exit",
        "exit",
    ]


def test_a_peer_group_that_is_told_more_paths_is_made_anew() -> None:
    """Its sessions start anew in any case, and FRR 8.4 kept a default from some of them for good (seen in a lab)."""
    new = OLD.replace("west-v4 activate\n", "west-v4 activate\n  neighbor west-v4 addpath-tx-all-paths\n")
    gone = ["no neighbor 10.0.0.3 peer-group west-v4", "no neighbor 10.0.0.2 peer-group west-v4"]
    again = [line.strip() for line in new.splitlines() if line.strip().startswith(("neighbor", "address"))]
    assert said(OLD, new) == [
        *("router bgp 1", *gone, "no neighbor west-v4 peer-group", "exit"),
        *("router bgp 1", *again, "exit", "exit"),
    ]


def test_a_peer_group_goes_after_its_members_and_what_was_said_of_it_goes_with_it() -> None:
    new = "router bgp 1\n address-family ipv4 unicast\n exit-address-family\nexit\n"
    assert said(OLD, new) == [
        "router bgp 1",
        "no neighbor 10.0.0.3 peer-group west-v4",
        "no neighbor 10.0.0.2 peer-group west-v4",
        "no neighbor west-v4 peer-group",
        "exit",
        "no route-map mesh-to-west permit 10",  # nobody uses it any more
    ]


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("route-map m permit 10\nexit", "route-map m deny 10\nexit", ["route-map m deny 10", "exit"]),
        (
            "route-map m deny 10\n match large-community a\nexit",
            "route-map m deny 10\n match large-community b\nexit",
            ["route-map m deny 10", "match large-community b", "exit"],
        ),
        (  # FRR keeps what an entry matches where its action changes: seen in a lab as a filter that let nothing in
            "route-map m deny 10\n match large-community a\nexit\nroute-map m permit 20\nexit",
            "route-map m permit 10\nexit",
            [
                *("route-map m permit 10", "exit", "no route-map m permit 20"),
                *("route-map m permit 10", "no match large-community a", "exit"),
            ],
        ),
        ("no bgp x", "bgp x", ["bgp x"]),
        ("bgp x", "no bgp x", ["no bgp x"]),
        ("no bgp x", "", ["bgp x"]),
        ("list a", "list b", ["list b", "no list a"]),  # a filter's lists are there before they are gone
    ],
)
def test_a_line_for_a_line(old: str, new: str, lines: list[str]) -> None:
    assert said(old, new) == lines


def test_what_a_filter_matches_is_there_before_the_session_and_goes_after_it() -> None:
    old = "router bgp 1\n neighbor a route-map x in\nexit\nroute-map x permit 10\nexit\n"
    new = "router bgp 1\n neighbor a route-map y in\nexit\nroute-map y permit 10\n match peer b\nexit\n"
    assert said(old, new) == [
        *("route-map y permit 10", "match peer b", "exit"),
        *("router bgp 1", "no neighbor a route-map x in", "exit"),
        *("router bgp 1", "neighbor a route-map y in", "exit"),
        "no route-map x permit 10",
    ]
