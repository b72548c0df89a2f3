"""Parallel circuits of different metrics, brought up so that isisd sends by the one that it should.

isisd pairs the entries of its own LSP with its adjacencies to a neighbour one by one: the entries in the order in
which circuits were configured, the adjacencies in the order in which they came (FRR 8.4, isisd/isis_spf.c:
spf_adj_list_parse_tlv).  Where the two orders differ, it sends over one circuit at the metric of another (FRR issue
19470).  So such a circuit is configured anew, and is then the last in both, before its light comes back.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress

from trunkline.devices.fleet import unequal
from trunkline.lab.netlink import Prefix
from trunkline.lab.seen import adjacencies
from trunkline.lab.state import home
from trunkline.lab.vty import Vty, answers
from trunkline.lab.wiring import Cable, End, Wiring, switch
from trunkline.model.nouns import Circuit

PATIENCE_S = 5.0
"""How long an adjacency gets to come up before the next circuit follows."""
INTERVAL_S = 0.05
Fibs = Mapping[str, Mapping[Prefix, frozenset[str]]]
"""Interfaces by router and prefix."""


def light(lab: str, wiring: Wiring, names: Collection[str]) -> None:
    """Bring cables up by name: all at once, but parallel circuits of different metrics one after the other."""
    late = [c.name for many in unequal(wiring.net) for c in many if c.name in names]
    switch(lab, [wiring.cables[name] for name in sorted({*names} - {*late})], "up")
    for name in late:
        cable = wiring.cables[name]
        alive = all(answers(home(lab) / end.thing, "isisd") for end in cable.ends)
        for end in cable.ends if alive else ():
            _configure_anew(lab, end)
        switch(lab, [cable], "up")
        if alive:
            _wait(lab, cable)


def mend(lab: str, wiring: Wiring, circuits: Iterable[Circuit]) -> None:
    """Take parallel circuits down but for the shortest, which come first, and bring them back in order."""
    names = [c.name for c in circuits][1:]
    switch(lab, [wiring.cables[name] for name in names], "down")
    light(lab, wiring, names)


def misled(wiring: Wiring, parallel: Iterable[Circuit], seen: Fibs, expected: Fibs) -> bool:
    """Whether a router sends by another of these circuits than it must, where all else of a route is right."""
    ends = [end for circuit in parallel for end in wiring.cables[circuit.name].ends]
    for router in {end.thing for end in ends}:
        ours = {end.interface for end in ends if end.thing == router}
        for prefix, must in expected[router].items():
            found = seen[router].get(prefix, frozenset())
            if found != must and found - ours == must - ours and found & ours:
                return True
    return False


def _configure_anew(lab: str, end: End) -> None:
    """Take a circuit out of isisd and tell it as its file does."""
    folder = home(lab) / end.thing
    lines = (folder / "isisd.conf").read_text(encoding="utf-8").splitlines()
    begin = lines.index(f"interface {end.interface}")
    told = lines[begin : lines.index("exit", begin) + 1]
    out = [f"no{line}" for line in told if line.endswith(" router isis core")]
    with Vty(folder / "isisd.vty") as isisd:
        isisd.configure([told[0], *out, "exit", *told])


def _wait(lab: str, cable: Cable) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        with suppress(OSError):  # health says whose daemon is gone
            if all(end.interface in adjacencies(home(lab) / end.thing) for end in cable.ends):
                return
        time.sleep(INTERVAL_S)
