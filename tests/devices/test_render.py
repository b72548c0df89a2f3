"""What every router is told: taken by real FRR to the last line, exact, stable, and the user's to change."""

from __future__ import annotations

import json
import shutil
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from devices.frr import needs_frr, refused
from nets import circuit
from test_cli import ROOT, trunkline
from trunkline.devices.change import Stage, steps
from trunkline.devices.device import devices
from trunkline.devices.fleet import cautions, configurations, read_secrets
from trunkline.devices.frr.render import DAEMONS, bandwidth, environment, maximum, render
from trunkline.model.load import load
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Igp
from trunkline.model.problem import Problems

AURORA = ROOT / "examples" / "aurora.yaml"
KNOBS = """include: [tiny.yaml]
trunkline: 1
name: knobs
igp: {topology: multi, authentication: core}
te: {v6_over_lsp: 6pe}
addresses: {short: [192.0.2.0/30, "2001:db8::/126"], carrier@a-dr1: 198.51.100.0/31}
prefix_groups:
  own: {v4: [203.0.113.0/24], v6: ["2001:db8:1::/48"]}
peers:
  carrier:
    kind: customer
    asn: 4200000001
    at: [{router: a-dr1, port: 10G, med: 7, local_pref: 250, prepend_out: 2, med_out: 9, announce_out: [east],
          password: carrier}]
    announces: [own]
"""


def knobs(tmp_path: Path) -> Network:
    """Tiny with everything set that can be."""
    tiny = (ROOT / "examples" / "tiny.yaml").read_text()
    policy = (
        "policy: [{cross: true, kind: transit, from: east, side: export}, {cross: false, group: own, peer: carrier}]"
    )
    tiny = tiny.replace(
        "ibgp: {design: regional,", f"ibgp: {{design: regional, as_path_relax: true, asn: 65000, {policy},"
    )
    (tmp_path / "tiny.yaml").write_text(
        tiny.replace("risks: [south]}", "risks: [south], groups: [red], families: [v6]}")
    )
    (tmp_path / "knobs.yaml").write_text(KNOBS)
    net = load(tmp_path / "knobs.yaml").network
    return net.with_overload("a-bb1")


@needs_frr
@pytest.mark.parametrize("example", ["aurora", "tiny", "knobs"])
def test_real_frr_takes_every_line(example: str, tmp_path: Path) -> None:
    net = knobs(tmp_path) if example == "knobs" else load(ROOT / "examples" / f"{example}.yaml").network
    env = environment()
    roles = {(r.role, r.region): r.name for r in net.routers}  # one of each kind is enough of a large network
    for name in sorted({*roles.values()} if example == "aurora" else {r.name for r in net.routers}):
        for daemon, text in render(devices(net)[name], env).items():
            assert refused(daemon, text) == []


@needs_frr
@pytest.mark.parametrize("daemon", DAEMONS)
def test_a_line_that_frr_does_not_know_is_seen(daemon: str, tmp_path: Path) -> None:
    (tmp_path / f"{daemon}.conf.j2").write_text(
        f'{{% extends "builtin/{daemon}.conf.j2" %}}{{% block extra %}}\n!\nbogus thing\n{{% endblock %}}'
    )
    net = load(ROOT / "examples" / "tiny.yaml").network
    text = render(devices(net)["b-pr1"], environment(tmp_path))[daemon]
    (said,) = refused(daemon, text)
    assert said.startswith("No such command on config line")
    assert said.endswith("bogus thing")


@pytest.mark.parametrize("bps", [1, 8, 10**9, 100 * 10**9, 360 * 10**9, 1_600_000_000_001, 10**15 - 1])
def test_bandwidth_is_a_float32_of_bytes_never_above_the_truth(bps: int) -> None:
    told = struct.unpack("f", struct.pack("f", float(bandwidth(bps))))[0]  # as a router reads it
    above = struct.unpack("f", struct.pack("I", struct.unpack("I", struct.pack("f", told))[0] + 1))[0]
    assert told * 8 <= bps < above * 8


def test_the_maximum_is_above_the_reservable_bandwidth() -> None:
    assert float(maximum(circuit("a", "b", gbps=100))) > float(bandwidth(100 * 10**9))
    half = replace(circuit("a", "b", gbps=100), reservable=50 * 10**9)
    assert float(maximum(half)) == float(bandwidth(100 * 10**9))


@needs_frr
def test_real_frr_takes_every_rate_around_its_own_guess() -> None:
    """FRR 8.4 holds a bandwidth against 10,000 Mbit/s in 32 bits: 10^10 mod 2^32 = 1,410,065,408 bit/s.

    A float32 there is 16 bytes/s wide, 128 bit/s: what is above the guess by less is equal to it.
    """
    guess = 10**10 % 2**32
    net = load(ROOT / "examples" / "tiny.yaml").network
    for bps in (1, 7, guess - 65_408, guess - 1, guess, guess + 1, guess + 127, guess + 128, 10**18):
        for reservable in {bps, max(bps // 2, 1)}:
            circuits = tuple(replace(c, capacity=bps, reservable=reservable) for c in net.circuits)
            text = render(devices(replace(net, circuits=circuits))["a-dr1"], environment())["zebra"]
            assert refused("zebra", text) == [], (bps, reservable)


def test_the_words_of_the_file_reach_the_router(tmp_path: Path) -> None:
    config = configurations(knobs(tmp_path))["a-dr1"].splitlines()
    for line in (
        "router bgp 65000",
        " bgp bestpath as-path multipath-relax",
        " topology ipv6-unicast",
        " domain-password md5 ${core} authenticate snp validate",
        " neighbor 198.51.100.1 remote-as 4200000001",
        " neighbor 198.51.100.1 password ${carrier}",
        " match ip address prefix-list group-own-v4",
        " set local-preference 250",
        " set metric 7",
        " set as-path prepend 65000 65000",
        " set metric 9",
        "ip prefix-list group-own-v4 seq 5 permit 203.0.113.0/24",
    ):
        assert line in config, line
    assert " ip address 198.51.100.0/31" in config
    middle = configurations(knobs(tmp_path))["a-bb1"].splitlines()
    assert " set-overload-bit" in middle
    assert " topology ipv6-unicast overload" in middle  # found by a lab: each topology has a bit of its own
    assert " ip address 192.0.2.1/30" in middle
    assert " no isis topology ipv4-unicast" in middle
    assert "  admin-grp 0x1" in middle


def test_a_peer_is_closed_at_five_quarters_of_what_it_announces(tmp_path: Path) -> None:
    device = devices(knobs(tmp_path))["b-pr1"]
    (upstream,) = device.externals
    assert upstream.limit("v4") == 900_000 * 5 // 4 + 10  # type: ignore[arg-type]
    assert upstream.limit("v6") == 200_000 * 5 // 4 + 10  # type: ignore[arg-type]


def test_a_transit_cannot_announce_our_own_prefixes(tmp_path: Path) -> None:
    """RFC 7454 6.1.4: what is inside a data centre's prefix, the whole of it too, is not let in from outside."""
    text = (ROOT / "examples" / "tiny.yaml").read_text()
    listed = text.replace("a-dc: {site: a}", 'a-dc: {site: a, prefixes: [198.18.0.0/20, "2001:db8:5ea::/48"]}')
    assert listed != text
    (tmp_path / "listed.yaml").write_text(listed)
    lines = configurations(load(tmp_path / "listed.yaml").network)["b-pr1"].splitlines()
    assert "ip prefix-list never-v4 seq 50 permit 198.18.0.0/20 le 32" in lines
    assert "ipv6 prefix-list never-v6 seq 30 permit 2001:db8:5ea::/48 le 128" in lines


def test_secrets_come_from_their_own_file(tmp_path: Path) -> None:
    knobs(tmp_path)
    (tmp_path / "secrets.yaml").write_text("core: s3cret\ncarrier: hush\n")
    net, secrets = str(tmp_path / "knobs.yaml"), str(tmp_path / "secrets.yaml")
    done = trunkline("render", net, "--router", "a-dr1", "--secrets", secrets)
    assert " isis password md5 s3cret\n" in done.stdout
    assert "${" not in done.stdout
    (tmp_path / "secrets.yaml").write_text("core: s3cret\n")
    done = trunkline("render", net, "--secrets", secrets)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no secret is named 'carrier'" in done.stderr


@pytest.mark.parametrize(
    "written",
    [
        'core: "hush hush\\nno router bgp 1"', "core: hush hush", "core:", "core: [hush]", "hush", "",
        "[" * 100_000, "core: " + "{a: " * 2000 + "}" * 2000, "core: &hush {a: *hush}", "core: hu\tsh", "core: hüsh",
    ],
)  # fmt: skip
def test_a_secret_is_one_word_and_never_shown(written: str, tmp_path: Path) -> None:
    (tmp_path / "secrets.yaml").write_text(written)
    with pytest.raises(Problems) as caught:
        read_secrets(tmp_path / "secrets.yaml")
    assert "error[secrets]" in str(caught.value)
    assert "hush" not in str(caught.value)


def test_a_broken_template_is_named(tmp_path: Path) -> None:
    (tmp_path / "bgpd.conf.j2").write_text("{% block head %}\n{{ nothing.here }}\n{% endblock %}")
    done = trunkline("render", "examples/tiny.yaml", "--templates", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "error[template]: 'nothing' is undefined" in done.stderr


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{{ 1 // 0 }}", "ZeroDivisionError"),
        ("{{ 'a' + 1 }}", "TypeError"),
        ("{% include 'bgpd.conf.j2' %}", "RecursionError"),
        ("{{ 'x'.encode('none') }}", "LookupError"),
        ("{{ router.nothing }}", "has no attribute 'nothing'"),
        ("{% for %}", "end of statement"),
    ],
)
def test_what_a_template_raises_is_told_with_its_line(line: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "bgpd.conf.j2").write_text(f"{{% block head %}}\n{line}\n{{% endblock %}}")
    with pytest.raises(Problems, match=why) as caught:
        configurations(load(ROOT / "examples" / "tiny.yaml").network, templates=tmp_path)
    (problem,) = caught.value.problems
    assert (problem.file, problem.line, problem.code) == (str(tmp_path / "bgpd.conf.j2"), 2, "template")


def test_a_template_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bgpd.conf.j2").write_bytes(b"\xff")
    with pytest.raises(Problems, match="UnicodeDecodeError"):
        configurations(load(ROOT / "examples" / "tiny.yaml").network, templates=tmp_path)


def test_the_same_bytes_on_any_hash_seed(tmp_path: Path) -> None:
    said = [trunkline("render", str(AURORA), PYTHONHASHSEED=seed).stdout for seed in ("1", "2")]
    assert said[0] == said[1]
    assert said[0].count("\nrouter bgp ") == 40


def test_one_metric_is_one_line_at_each_end(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "tiny.yaml").read_text()
    (tmp_path / "next.yaml").write_text(text.replace("metric: 30", "metric: {ab: 31, ba: 30}, te_metric: 30"))
    done = trunkline("render", str(tmp_path / "next.yaml"), "--diff", "examples/tiny.yaml", "--json")
    (step,) = json.loads(done.stdout)["steps"]
    changed = [line for line in step["diff"].splitlines()[2:] if line[0] in "+-"]
    assert (step["router"], changed) == ("a-bb1", ["- isis metric 30", "+ isis metric 31"])


def test_steps_add_before_they_take_away() -> None:
    old = {"a1": "x\ny\n", "b1": "x\n", "c1": "x\n", "d1": "x\n", "same": "x\n"}
    new = {"a1": "x\n", "b1": "x\nz\n", "c1": "w\n", "e1": "x\n", "same": "x\n"}
    regions = {"a1": "south", "b1": "south", "c1": "north", "d1": "north", "e1": "north", "same": "north"}
    got = [(s.stage, s.router) for s in steps(old, new, regions)]
    assert got == [
        (Stage.NEW, "e1"),
        (Stage.ADDS, "b1"),
        (Stage.CHANGES, "c1"),  # north before south
        (Stage.CHANGES, "a1"),
        (Stage.GONE, "d1"),
    ]


def test_a_change_of_one_router_is_told_of_no_other(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "tiny.yaml").read_text()
    (tmp_path / "next.yaml").write_text(text.replace("b-dr1", "b-dr9"))
    asked = ["render", str(tmp_path / "next.yaml"), "--diff", "examples/tiny.yaml", "--json"]
    for routers, stages in (
        (["b-dr9"], [("b-dr9", "new")]),
        (["b-dr1"], [("b-dr1", "gone")]),
        (["a-dr1", "b-dr1"], [("a-dr1", "changes"), ("b-dr1", "gone")]),
    ):
        done = trunkline(*asked, *(word for name in routers for word in ("--router", name)))
        assert [(s["router"], s["stage"]) for s in json.loads(done.stdout)["steps"]] == stages
    done = trunkline(*asked, "--router", "b-dr2")
    assert (done.returncode, done.stdout) == (2, "")


def test_a_folder_of_configurations(tmp_path: Path) -> None:
    out = tmp_path / "fleet"
    (out / "old-bb9").mkdir(parents=True)
    (out / "old-bb9" / "frr.conf").write_text("hostname old-bb9\n")
    done = trunkline("render", "examples/tiny.yaml", "--out", str(out))
    assert (done.returncode, done.stdout) == (0, "")
    assert "not of this network, and left there: old-bb9" in done.stderr
    assert sorted(p.name for p in out.iterdir()) == ["a-bb1", "a-dr1", "b-bb1", "b-dr1", "b-pr1", "old-bb9"]
    assert (out / "a-bb1" / "daemons").read_text().splitlines()[0] == "zebra=yes"
    again = tmp_path / "again"
    shutil.copytree(out, again)
    trunkline("render", "examples/tiny.yaml", "--out", str(out))
    assert (out / "a-bb1" / "frr.conf").read_bytes() == (again / "a-bb1" / "frr.conf").read_bytes()


def test_an_unknown_router_gets_the_nearest_name() -> None:
    done = trunkline("render", "examples/tiny.yaml", "--router", "a-bb2")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no router is named 'a-bb2'; did you mean 'a-bb1'?" in done.stderr


def test_what_cannot_be_told_apart_is_an_error() -> None:
    net = load(ROOT / "examples" / "tiny.yaml").network
    same = replace(net.circuit["long"], name="to-a-dr1")
    with pytest.raises(Problems, match="two interfaces of 'a-bb1' would be called 'to-a-dr1'"):
        devices(replace(net, circuits=(*(c for c in net.circuits if c.name != "long"), same)))


def test_parallel_circuits_of_different_metrics_are_warned_of() -> None:
    done = trunkline("render", "examples/tiny.yaml", "--router", "a-bb1")
    assert done.stderr.startswith("trunkline: short and long are parallel with different metrics")
    assert cautions(load(AURORA).network) == []  # two cables between New York and London, of one metric


def test_a_circuit_without_ipv6_in_a_single_topology_is_warned_of() -> None:
    """Seen in a lab of FRR 8.4: routers held no IPv6 distance over one, where semantics.md has IPv6 lost in it."""
    four = replace(circuit("a", "b"), families=(Family.V4,))
    single, multi = Network(circuits=(four,)), Network(circuits=(four,), igp=Igp(multi_topology=True))
    assert [said.split(":")[0] for said in cautions(single)] == [f"{four.name} carries no IPv6 in a single topology"]
    assert cautions(multi) == []


def test_a_rule_about_a_group_that_routers_cannot_tell_is_warned_of(tmp_path: Path) -> None:
    rule = "import: [{group: more, accept: no}]"
    text = (ROOT / "examples" / "tiny.yaml").read_text().replace("internet: {v4", "more: {v4: 5}\n  internet: {v4")
    text = text.replace("announces: [internet]", f"announces: [internet, more], {rule}")
    (tmp_path / "net.yaml").write_text(text)
    said = cautions(load(tmp_path / "net.yaml").network)
    assert "rules name more: routers cannot tell internet from more of upstream" in said[-1]
