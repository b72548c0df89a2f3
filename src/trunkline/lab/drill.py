"""The heart of the lab: what was predicted against what is, now and after every cut and repair.

A prediction is computed, and sealed if asked, before anything is touched; the verdict refers to its digest.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_network
from itertools import pairwise
from pathlib import Path

from trunkline.devices.device import External
from trunkline.devices.frr.render import DAEMONS
from trunkline.lab import events, state
from trunkline.lab.apply import apply
from trunkline.lab.compare import Difference, compare, compare_told
from trunkline.lab.heard import heard
from trunkline.lab.lab import Lab, pool
from trunkline.lab.predict import Predicted, predict
from trunkline.lab.seen import see
from trunkline.lab.stream import streaming
from trunkline.lab.vty import answers
from trunkline.lab.walks import Walks
from trunkline.model.network import Network
from trunkline.model.nouns import Condition
from trunkline.model.problem import Problem, Problems

LIMIT_S = 60.0
"""How long the network gets to become what is predicted."""
PAUSE_S = 0.25
STEADY_S = 3.0
"""How long it must stay so: what was done may not have been heard of yet."""
MOVED_S = 1.0
"""How long after going from one failure to another: it cannot be so before it has heard of both."""
STREAMS = 64
"""How many flows measure a repair, at most."""
AT_ONCE_S = 1.0
"""How long packets flow before a cut, so that a gap has a beginning."""

Watch = Callable[[str], None]


@dataclass(frozen=True)
class Round:
    """One look at the whole lab: what was done before, the prediction's digest, and what differs from it."""

    what: str
    sha256: str
    differences: tuple[Difference, ...]
    settled_s: float | None
    """How long it took to become what was predicted; None where nothing was done, or it never did."""
    repairs: Mapping[str, float]
    """The longest gap of each flow that lost packets, in milliseconds."""


def look(lab: Lab, predicted: Predicted, packets: bool) -> list[Difference]:
    """Return everything that is not as predicted now."""
    loopbacks = {ip_network(a) for r in lab.net.routers for a in (r.loopback, r.loopback6)}

    def router(name: str) -> list[Difference]:
        silent = [daemon for daemon in DAEMONS if not answers(lab.home / name, daemon)]
        if silent:
            return [Difference(name, "daemon", daemon, "it answers", "it does not") for daemon in silent]
        found = compare(name, predicted.routers[name], see(lab.name, lab.home, name), loopbacks)
        return found + [d for e in lab.devices[name].externals for d in told(lab, predicted, e)]

    with pool() as workers:
        found = [d for differences in workers.map(router, predicted.routers) for d in differences]
        if packets:
            walks = Walks(lab.name, lab.devices, predicted)
            found += walks.circuits(workers)
            found += walks.outcomes(workers)
    return sorted(found)


def told(lab: Lab, predicted: Predicted, e: External) -> list[Difference]:
    """Return what the peer behind a port hears otherwise than predicted; nothing where the port is down."""
    router, port = e.port.router, e.port.name
    if port not in predicted.net.port:
        return []
    try:
        there = heard(lab.name, lab.home, e)
    except OSError as error:
        return [Difference(port, "daemon", "its BGP speaker", "it answers", "it does not", "", str(error))]
    return compare_told(router, predicted.routers[router], port, there)


def now(lab: Lab, packets: bool, watch: Watch, seal: Path | None = None) -> Round:
    """Hold the lab as it is against its prediction; what was done to it a moment ago gets time to settle."""
    watch("as it is")
    predicted = predict(lab.net.under(lab.state.condition), lab.devices)
    _seal(seal, "as-it-is", predicted)
    deadline = time.monotonic() + LIMIT_S
    while (found := look(lab, predicted, packets)) and time.monotonic() < deadline:
        time.sleep(PAUSE_S)
    return Round("as it is", predicted.sha256, tuple(found), None, {})


def drills(lab: Lab, things: Sequence[str], packets: bool, watch: Watch, seal: Path | None = None) -> list[Round]:
    """Drill each thing; where no packets flow, go straight from one failure to the next."""
    if packets:
        return [r for thing in things for r in drill(lab, thing, packets, watch, seal)]
    return tour(lab, things, watch, seal) if things else []


def drill(lab: Lab, thing: str, packets: bool, watch: Watch, seal: Path | None = None) -> list[Round]:
    """Cut a thing, look, bring it back, look again.  The prediction is there before the cut.

    Interrupted in between, it brings the thing back first.  Raises Problems where the thing is not there, or is cut
    already.
    """
    condition = lab.state.condition
    after = predict(_without(lab, condition, thing), lab.devices)
    _seal(seal, thing, after)
    before = predict(lab.net.under(condition), lab.devices)
    try:
        rounds = [_act(lab, f"cut {thing}", lambda: events.cut(lab, [thing]), after, packets, watch)]
    except BaseException:
        if thing in lab.state.condition.down:
            events.restore(lab, [thing])
        raise
    rounds.append(_act(lab, f"restore {thing}", lambda: events.restore(lab, [thing]), before, packets, watch))
    return rounds


def tour(lab: Lab, things: Sequence[str], watch: Watch, seal: Path | None = None) -> list[Round]:
    """Cut each thing in turn, straight from one failure to the next, then bring the last one back; no packets flow.

    It takes a third of the time of as many drills.  Interrupted, it brings back what it cut.  Raises what they do.
    """
    before = lab.state.condition
    without = {thing: _without(lab, before, thing) for thing in things}
    for thing in things if seal is not None else ():
        _seal(seal, thing, predict(without[thing], lab.devices))
    rounds = []
    try:
        for back, out in pairwise(((), *((thing,) for thing in things), ())):
            predicted = predict(without[out[0]] if out else lab.net.under(before), lab.devices)
            what = ", ".join([*(f"restore {thing}" for thing in back), *(f"cut {thing}" for thing in out)])
            watch(what)
            begun = time.monotonic()
            events.move(lab, back, out)
            settled = _settle(lab, predicted, begun, MOVED_S)
            found = look(lab, predicted, packets=False) if settled is None else ()
            rounds.append(Round(what, predicted.sha256, tuple(found), settled, {}))
    except BaseException:
        if cut := lab.state.condition.down.intersection(things):
            events.restore(lab, cut)
        raise
    return rounds


def change(lab: Lab, what: str, packets: bool, watch: Watch) -> Round:
    """Bring the running lab to the lab's network (`apply`), and look.  Raises what `apply` does."""
    predicted = predict(lab.net.under(state.current(lab.name).condition), lab.devices)
    return _act(lab, what, lambda: apply(lab), predicted, packets, watch)


def _without(lab: Lab, condition: Condition, thing: str) -> Network:
    """The network under a condition after a failure.  Raises Problems where the thing is cut already or not there."""
    if thing in condition.down:
        raise Problems([Problem("", 0, 0, "restore", f"'{thing}' is cut already", "", "`lab restore` first")])
    try:
        return lab.net.under(condition).without(thing)
    except KeyError:
        raise Problems([Problem("", 0, 0, "reference", f"'{thing}' is not there")]) from None


def _act(lab: Lab, what: str, action: Callable[[], object], predicted: Predicted, packets: bool, watch: Watch) -> Round:
    """Do something while packets flow; wait until the lab is as predicted, or the limit is over."""
    flows = [f for f in Walks(lab.name, lab.devices, predicted).flows() if f.group in lab.net.datacenter]
    flows = [f for f in flows if f.there.version == 4][:STREAMS] if packets else []
    watch(what)
    with streaming(lab.name, flows) as stream:
        time.sleep(AT_ONCE_S if flows else 0)
        begun, stream.acted = time.monotonic(), stream.sent
        action()
        settled = _settle(lab, predicted, begun, STEADY_S)
        time.sleep(PAUSE_S if flows else 0)
    found = look(lab, predicted, packets)
    return Round(what, predicted.sha256, tuple(found), settled, stream.repairs())


def _settle(lab: Lab, predicted: Predicted, begun: float, steady_s: float) -> float | None:
    """Wait until the lab is as predicted and stays so; return how long it took, None where it never was."""
    equal_since: float | None = None
    while time.monotonic() < begun + LIMIT_S:
        now = time.monotonic()
        if look(lab, predicted, packets=False):
            equal_since = None
        elif equal_since is None:
            equal_since = now
        elif now - equal_since > steady_s:
            return equal_since - begun
        time.sleep(PAUSE_S)
    return None


def _seal(folder: Path | None, name: str, predicted: Predicted) -> None:
    """Write a prediction before anything is done.  Raises Problems where it cannot be written."""
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.json").write_text(predicted.text, encoding="utf-8")
    except OSError as error:
        raise Problems([Problem(str(folder), 0, 0, "unwritable", error.strerror or str(error))]) from None


def circuits(lab: Lab) -> Sequence[str]:
    """Return every circuit that is up, by name."""
    return [c.name for c in lab.net.under(lab.state.condition).circuits]
