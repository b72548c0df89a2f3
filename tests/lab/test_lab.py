"""Labs of real daemons: up, broken, mended, and gone without a trace."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lab.labs import EXAMPLES, left_behind, nobody
from trunkline.devices.frr.render import render
from trunkline.lab import capture, daemons, drill, events, lab, namespaces, seen, state, wiring
from trunkline.lab.compare import Difference
from trunkline.lab.health import Health
from trunkline.lab.predict import predict
from trunkline.lab.vty import Vty
from trunkline.lab.walks import Walks
from trunkline.model.load import load
from trunkline.model.nouns import Family
from trunkline.model.problem import Problems

pytestmark = pytest.mark.lab
TINY = EXAMPLES / "tiny.yaml"


def trunkline(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "trunkline", "lab", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def settled(found: lab.Lab) -> list[Health]:
    return found.health(nobody, lab.LIMIT_S)


def ping(found: lab.Lab, source: str, target: str) -> bool:
    """Whether a datagram of an address of one data centre arrives at an address of the other, and one comes back."""
    code = (
        "import socket, sys\n"
        "s = socket.socket(socket.AF_INET6 if ':' in sys.argv[1] else socket.AF_INET, socket.SOCK_DGRAM)\n"
        "s.bind((sys.argv[1], 4000)); s.settimeout(5)\n"
        "if len(sys.argv) > 2: s.sendto(b'there', (sys.argv[2], 4000)); print(s.recv(9))\n"
        "else: print('listens', flush=True); _, back = s.recvfrom(9); s.sendto(b'back', back)\n"
    )
    with namespaces.inside(namespaces.full(found.name, "b-dc")):
        far = subprocess.Popen([sys.executable, "-c", code, target], stdout=subprocess.PIPE, text=True)
    assert far.stdout is not None
    assert far.stdout.readline() == "listens\n"
    with namespaces.inside(namespaces.full(found.name, "a-dc")):
        near = subprocess.run([sys.executable, "-c", code, source, target], capture_output=True, check=False)
    far.kill()
    far.wait()
    far.stdout.close()
    return near.stdout == b"b'back'\n"


def test_tiny_comes_up_breaks_mends_and_goes(tiny: lab.Lab, tmp_path: Path) -> None:
    found = lab.up(tiny, 1000, nobody)
    # By hand, from the file: a full mesh of 5 is 4 sessions of each family, and b-pr1 has the transit's two.
    # A data centre has one prefix of each family unless the file says more; two stand for the Internet's.  Transit
    # stays in the east, where it enters, so that the west has the default instead; b-pr1 says the default and does
    # not follow one.
    east, west = 4 + 2 + 2 + 1, 4 + 2 + 1
    assert [(h.router, h.adjacencies, h.sessions, h.v4, h.v6, h.wrong) for h in found] == [
        ("a-bb1", (3, 3), (8, 8), (west, west), (west, west), ()),
        ("a-dr1", (1, 1), (8, 8), (west, west), (west, west), ()),
        ("b-bb1", (4, 4), (8, 8), (east, east), (east, east), ()),
        ("b-dr1", (1, 1), (8, 8), (east, east), (east, east), ()),
        ("b-pr1", (1, 1), (10, 10), (east - 1, east - 1), (east - 1, east - 1), ()),
    ]
    a, b = (tiny.net.group[dc].prefixes for dc in ("a-dc", "b-dc"))
    assert all(ping(tiny, str(p[5]), str(q[77])) for p, q in zip(a, b, strict=True))

    events.cut(tiny, ["short"])
    assert not any(h.wrong for h in settled(tiny))
    assert ways(tiny, "a-bb1") == ["long"]
    assert seen.distances(tiny.home / "a-dr1")[Family.V4, "b-dr1"] == 1 + 30 + 1
    events.cut(tiny, ["south"])  # the risk of the other circuit: the network falls apart
    apart = {h.router: h for h in settled(tiny)}
    assert not any(h.wrong for h in apart.values())
    assert apart["a-dr1"].sessions == (2, 2)
    for thing in ("short", "south"):  # the longer one last: FRR by itself keeps to it then (issue 19470)
        events.restore(tiny, [thing])
        assert not any(h.wrong for h in settled(tiny))
    assert ways(tiny, "a-bb1") == ["short"]
    assert seen.distances(tiny.home / "a-dr1")[Family.V6, "b-dr1"] == 1 + 10 + 1

    capture.capture(tiny, "short", tmp_path / "short.pcap", 4)  # each end says hello every 3 s
    assert (tmp_path / "short.pcap").read_bytes()[24:].count(b"\xfe\xfe\x03\x83")  # IS-IS over LLC (ISO 10589 7.1)
    assert lab.down(tiny.name)
    assert left_behind(tiny.name) == []
    assert not lab.down(tiny.name)


def test_parallel_circuits_that_isisd_mixes_up_are_put_right(tiny: lab.Lab) -> None:
    """A flap that nobody asked for: the longer one is configured first, and now comes last (FRR issue 19470)."""
    assert not any(h.wrong for h in lab.up(tiny, 1000, nobody))
    for change in (events.cut, events.restore):
        change(tiny, ["short"])  # then the last in both orders
        assert not any(h.wrong for h in settled(tiny))
    long = tiny.wiring(1000).cables["long"]
    ends = [tiny.home / end.thing for end in long.ends]
    for to in ("down", "up"):
        wiring.switch(tiny.name, [long], to)
        while any(("long" in seen.adjacencies(end)) != (to == "up") for end in ends):
            time.sleep(0.1)
    time.sleep(5)  # SPF waits 2 s at most (spf-delay-ietf)
    assert ways(tiny, "a-bb1") == ["long"]
    assert seen.distances(tiny.home / "a-bb1")[Family.V4, "b-bb1"] == 10  # what `short` costs
    said: list[str] = []
    assert not any(h.wrong for h in tiny.health(said.append, lab.LIMIT_S))
    assert ways(tiny, "a-bb1") == ["short"]
    assert "short and long: isisd mixed them up (FRR issue 19470); back in order" in said
    for thing in ("long", "short", "a-bb1"):  # asked for, nothing is mixed up
        events.cut(tiny, [thing])
        assert not any(h.wrong for h in settled(tiny))
        events.restore(tiny, [thing])
        assert not any(h.wrong for h in tiny.health(said.append, lab.LIMIT_S))
        assert ways(tiny, "a-bb1") == ["short"]
    assert sum("mixed" in line for line in said) == 1


def ways(found: lab.Lab, router: str) -> list[str]:
    """The interfaces towards the first IPv4 prefix of b-dc."""
    prefix = found.net.group["b-dc"].prefixes[0]
    fib = {r.prefix: r.hops for r in seen.see(found.name, found.home, router).fib}
    return [hop.interface for hop in fib[prefix]]


def test_the_default_follows_the_transit_session(tiny: lab.Lab) -> None:
    lab.up(tiny, 1000, nobody)
    best = seen.paths(tiny.home / "a-dr1")
    default = next(found for prefix, found in best.items() if str(prefix) == "0.0.0.0/0")
    assert [(p.best, p.local_pref, p.as_path) for p in default] == [(True, 50, ())]
    events.cut(tiny, ["upstream@b-pr1"])
    assert not any(h.wrong for h in settled(tiny))
    assert "0.0.0.0/0" not in map(str, seen.paths(tiny.home / "a-dr1"))
    events.restore(tiny, ["upstream@b-pr1"])
    assert not any(h.wrong for h in settled(tiny))


def test_a_default_that_policy_keeps_in_its_region_is_not_sent(name: str, tmp_path: Path) -> None:
    file = tmp_path / "kept.yaml"
    rule = "policy: [{kind: default, from: east, to: west, cross: no, side: export}]"
    file.write_text(TINY.read_text().replace("fallback_default: yes", f"fallback_default: yes, {rule}"))
    done = trunkline("up", str(file), "--name", name, "--json")
    assert done.returncode == 0, done.stderr
    rows = {row["router"]: row["v4"] for row in json.loads(done.stdout)["routers"]}
    assert rows["a-dr1"] == 4 + 2  # no default: `up` fails where there is one that should not be
    assert rows["b-dr1"] == 4 + 2 + 2 + 1


def test_peers_say_what_the_file_says(name: str, tmp_path: Path) -> None:
    file = tmp_path / "peers.yaml"
    file.write_text(
        TINY.read_text()
        .replace("  internet: {v4", "  shop: {v4: [203.0.113.0/24], v6: [2001:db8:5::/48]}\n  internet: {v4")
        .replace(
            "datacenters:",
            "  shop: {kind: customer, asn: 64500, at: [b-pr1], port: 10G, "
            "announces: [{group: shop, path: [64500, 64999], med: 7, origin: egp}]}\n"
            "  other: {kind: peering, asn: 64501, at: [a-bb1], port: 10G, "
            "announces: [{group: shop, path: [64501, 64502, 64503], med: 9, origin: incomplete}]}\ndatacenters:",
        )
    )
    found = lab.of(name, load(file).network, load(file).sha256)
    assert not any(h.wrong for h in lab.up(found, 1000, nobody))
    for prefix in ("203.0.113.0/24", "2001:db8:5::/48"):
        held = {str(p): paths for p, paths in seen.paths(found.home / "a-bb1").items()}[prefix]
        assert [(p.best, p.local_pref, p.as_path, p.med, p.origin) for p in held] == [
            (True, 300, (64500, 64999), 7, "egp"),  # of GoBGP: a customer's
            (False, 200, (64501, 64502, 64503), 9, "incomplete"),  # of BIRD
        ]


def test_two_labs_side_by_side(tiny: lab.Lab) -> None:
    other = lab.Lab(f"{tiny.name}-2", tiny.net, tiny.sha256)  # one name begins with the other
    try:
        assert not any(h.wrong for h in [*lab.up(tiny, 1000, nobody), *lab.up(other, 1000, nobody)])
        lab.down(tiny.name)
        assert namespaces.existing(tiny.name) == []
        assert not any(h.wrong for h in settled(other))
    finally:
        lab.down(other.name)


def started(name: str) -> subprocess.Popen[str]:
    """`lab up` in a process group of its own, once its daemons are coming up."""
    listening = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "  # a job in the background is deaf
    )
    run = "from trunkline.cli import main; main()"
    command = [sys.executable, "-c", listening + run, "lab", "up", str(TINY), "--name", name]
    found = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not (state.home(name) / "b-pr1" / "bgpd.vty").exists():
        assert found.poll() is None
        time.sleep(0.01)
    return found


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_kill_take_away_what_was_made(told: signal.Signals, name: str) -> None:
    up = started(name)
    os.killpg(up.pid, told)
    _, said = up.communicate()
    assert (up.returncode, said) == (130, "trunkline: interrupted; nothing half-written is left behind\n")
    assert left_behind(name) == []


def test_down_finds_everything_after_a_kill(name: str) -> None:
    up = started(name)
    os.killpg(up.pid, signal.SIGKILL)
    up.communicate()
    assert left_behind(name)
    assert "lab-there" in trunkline("up", str(TINY), "--name", name).stderr
    assert trunkline("down", str(TINY), "--name", name).returncode == 0
    assert left_behind(name) == []
    again = trunkline("down", str(TINY), "--name", name)
    assert (again.returncode, again.stderr) == (0, f"trunkline: lab '{name}' was not there\n")


def test_a_line_that_frr_rejects_fails_and_is_named(tiny: lab.Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    def planted(device: object, env: object) -> dict[str, str]:
        found = render(device, env)  # type: ignore[arg-type]
        return found | {"isisd": found["isisd"] + "router isis core\n no such knob\n"}

    monkeypatch.setattr(daemons, "render", planted)
    with pytest.raises(daemons.Failed) as failed:
        lab.up(tiny, 1000, nobody)
    assert any(line.startswith("b-pr1: isisd rejects: ") and "no such knob" in line for line in failed.value.lines)
    assert left_behind(tiny.name) == []


def test_a_daemon_that_does_not_answer_is_named_with_its_last_words(
    tiny: lab.Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daemons, "PATIENCE_S", 1.0)
    monkeypatch.setattr(daemons, "USER", "nobody-there")
    monkeypatch.setattr("shutil.chown", lambda *_: None)
    with pytest.raises(daemons.Failed, match=r"a-bb1: zebra does not answer; it said last: .*nobody-there"):
        lab.up(tiny, 1000, nobody)
    assert left_behind(tiny.name) == []


def test_a_name_too_long_for_a_socket_is_said_before_anything_is_made(name: str, tmp_path: Path) -> None:
    file = tmp_path / "long.yaml"
    longest = 107 - len(f"/run/trunkline-lab/{name}//staticd.vty")  # unix(7): sun_path has 108 bytes, one of them zero
    text = TINY.read_text()
    file.write_text(text.replace("a-dr1", "x" * (longest + 1)))
    done = trunkline("up", str(file), "--name", name)
    assert done.returncode == 2
    assert done.stderr.startswith(
        f"error[lab-length]: '{'x' * (longest + 1)}' and the lab's name '{name}' are too long"
    )
    assert done.stderr.endswith("expected them 1 shorter, such as by another --name\n")
    file.write_text(text.replace("a-dr1", "x" * longest))
    assert trunkline("up", str(file), "--name", name).returncode == 0


def test_a_router_may_be_called_as_a_file_of_ours(name: str, tmp_path: Path) -> None:
    file = tmp_path / "called.yaml"
    file.write_text(TINY.read_text().replace("a-dr1", "state.json").replace("b-dr1", ".state.part"))
    assert trunkline("up", str(file), "--name", name).returncode == 0
    assert trunkline("test", str(file), "--name", name, "--no-packets").returncode == 0


def test_a_lab_of_another_version_of_the_file_is_left_alone(tiny: lab.Lab) -> None:
    state.home(tiny.name).mkdir(parents=True)
    state.write(tiny.name, state.State("of another file", 1000))
    with pytest.raises(Problems, match="lab-differs"):
        events.cut(tiny, ["short"])


def test_a_daemon_that_died_is_named_and_what_failed_half_way_is_restored(tiny: lab.Lab) -> None:
    lab.up(tiny, 1000, nobody)
    os.kill(int((tiny.home / "b-dr1" / "isisd.pid").read_text()), signal.SIGKILL)
    found = drill.look(tiny, predict(tiny.net, tiny.devices), packets=False)
    assert Difference("b-dr1", "daemon", "isisd", "it answers", "it does not") in found
    with pytest.raises(ConnectionError, match="b-dr1: isisd does not answer"):
        events.drain(tiny, ["a-bb1", "b-dr1"])
    with Vty(tiny.home / "a-bb1" / "isisd.vty") as isisd:
        assert " set-overload-bit\n" in isisd("show running-config")
    events.restore(tiny, ["a-bb1"])
    with Vty(tiny.home / "a-bb1" / "isisd.vty") as isisd:
        assert " set-overload-bit\n" not in isisd("show running-config")


def test_status_says_what_is_cut_and_drained(name: str) -> None:
    for words in (("up",), ("cut", "short", "upstream"), ("drain", "b-dr1")):
        assert trunkline(words[0], str(TINY), *words[1:], "--name", name, "-q").returncode == 0
    done = trunkline("status", str(TINY), "--name", name)
    assert done.stdout.splitlines()[-3:] == ["cut: short, upstream", "drained: b-dr1", "all is as the network says"]
    found = json.loads(trunkline("status", str(TINY), "--name", name, "--json").stdout)
    assert (found["cut"], found["drained"]) == (["short", "upstream"], ["b-dr1"])


@pytest.mark.parametrize("words", [("cut", "short"), ("drain", "a-bb1"), ("restore", "short"), ("status",)])
def test_what_is_asked_of_no_lab_leaves_nothing(name: str, words: tuple[str, ...]) -> None:
    done = trunkline(words[0], str(TINY), *words[1:], "--name", name)
    assert (done.returncode, done.stderr.split(";")[0]) == (2, f"error[no-lab]: no lab '{name}' is up")
    assert left_behind(name) == []


def test_one_command_at_a_time(tiny: lab.Lab) -> None:
    state.make(tiny.name)
    with state.held(tiny.name), pytest.raises(Problems, match="lab-busy"):
        lab.down(tiny.name)


SQUARE = """
trunkline: 1
regions: [w, e]
sites: {a: {region: w}, b: {region: e}}
routers:
  {a-dr1: {site: a, role: dr}, a-bb1: {site: a, role: bb}, a-bb2: {site: a, role: bb}, b-dr1: {site: b, role: dr}}
circuits:
  - {a: a-dr1, b: a-bb1, capacity: 1G, metric: 10}
  - {a: a-dr1, b: a-bb2, capacity: 1G, metric: 10}
  - {a: a-bb1, b: b-dr1, capacity: 1G, metric: 10, latency: 1ms}
  - {a: a-bb2, b: b-dr1, capacity: 1G, metric: 10, latency: 1ms}
datacenters: {a-dc: {site: a}, b-dc: {site: b}}
classes: {customer: {dscp: 34, tc: 4, queue: {weight: 70}, lsp_priority: 2}}
"""


def test_an_equal_way_comes_back(name: str, tmp_path: Path) -> None:
    """With kernel next-hop objects zebra 8.4 left BGP routes on one way for good (FRR pull request 13413)."""
    file = tmp_path / "square.yaml"
    file.write_text(SQUARE)
    found = lab.of(name, load(file).network, load(file).sha256)
    assert not any(h.wrong for h in lab.up(found, 1000, nobody))
    assert ways(found, "a-dr1") == ["to-a-bb1", "to-a-bb2"]
    for change, expected in ((events.cut, ["to-a-bb2"]), (events.restore, ["to-a-bb1", "to-a-bb2"])):
        change(found, ["a-bb1"])
        assert not any(h.wrong for h in settled(found))
        assert ways(found, "a-dr1") == expected
    events.drain(found, ["a-bb1"])
    assert not any(h.wrong for h in settled(found))
    assert seen.distances(found.home / "a-dr1")[Family.V4, "b-dr1"] == 20  # by a-bb2 alone
    assert ways(found, "a-dr1") == ["to-a-bb2"]


OVERLAP = """
trunkline: 1
regions: [r, s]
sites: {x: {region: r}, y: {region: s}}
routers: {a: {site: x, role: pr, loopback: [192.0.2.1, "2001:db8::1"]}, b: {site: y, role: pr}}
circuits: [{a: a, b: b, capacity: 1G, latency: 1ms}]
prefix_groups:
  dflt: {v4: [0.0.0.0/0]}
  wide: {v4: [192.0.0.0/8, 198.51.100.7/32], v6: ["2001:db8::/33"]}
  one: {v4: [198.51.100.77/32], v6: ["2001:db8:f::7/128"]}
peers:
  t: {kind: transit, asn: 64600, at: [a], port: 1G, announces: [wide, dflt]}
  o: {kind: peering, asn: 64700, at: [b, b], port: 1G, announces: [one]}
datacenters:
  dc: {site: x, attach: [a], prefixes: [192.0.0.0/24, 192.0.0.0/30, "2001:db8::/48"]}
  ec: {site: y, attach: [b]}
"""


def test_packets_go_to_addresses_that_no_longer_prefix_has(name: str, tmp_path: Path) -> None:
    """A prefix around another's, around a loopback, of one address, and a default that a peer announces: what is sent
    to the first address of each would go to the longer one.  One peer has two ports on a router."""
    file = tmp_path / "overlap.yaml"
    file.write_text(OVERLAP)
    assert trunkline("up", str(file), "--name", name).returncode == 0
    done = trunkline("test", str(file), "--name", name, "--json")
    assert done.returncode == 0, done.stdout
    loaded = load(file)
    lines = {str(f) for f in walks(lab.of(name, loaded.network, loaded.sha256)).flows()}
    # By hand: 192.0.0.4 is the first behind the data centre's /30 in its /24, and 192.0.1.0 behind that in wide's /8;
    # 2001:db8::1 is a router's, 2001:db8:1:: the first behind the data centre's /48.
    assert {"ec to dc (192.0.0.4)", "ec to wide (192.0.1.0)", "ec to one (198.51.100.77)"} <= lines
    assert {"ec to dc (2001:db8::2)", "ec to wide (2001:db8:1::)", "ec to one (2001:db8:f::7)"} <= lines
    assert not any("dflt" in line for line in lines)


def walks(found: lab.Lab) -> Walks:
    return Walks(found.name, found.devices, predict(found.net, found.devices))


def test_a_flooded_circuit_keeps_its_adjacency(name: str, tmp_path: Path) -> None:
    """A megabit a second, and ten times that offered for five times BFD's 900 ms: BFD's packets wait for nobody."""
    file = tmp_path / "thin.yaml"
    file.write_text(
        TINY.read_text().replace(
            "name: short, a: a-bb1, b: b-bb1, capacity: 100G", "name: short, a: a-bb1, b: b-bb1, capacity: 1G"
        )
    )
    found = lab.of(name, load(file).network, load(file).sha256)
    assert not any(h.wrong for h in lab.up(found, 1000, nobody))
    source, target = (found.net.group[dc].prefixes[0][1] for dc in ("a-dc", "b-dc"))
    with namespaces.inside(namespaces.full(found.name, "a-dc")):
        flood = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with flood:
        flood.bind((str(source), 0))
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            flood.sendto(bytes(1400), (str(target), 9))  # 11,200 bit each
            time.sleep(0.001)
        assert "short" in seen.adjacencies(found.home / "a-bb1") & seen.adjacencies(found.home / "b-bb1")
    assert ways(found, "a-bb1") == ["short"]
