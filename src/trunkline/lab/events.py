"""What is done to a lab that is up: things fail and come back, routers are drained.

A cut takes interfaces down at both ends; what a name stands for is the model's to say (`Network.under`), so that the
lab and the proof fail the same things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from trunkline.lab import hosts, state
from trunkline.lab.lab import Lab, pool
from trunkline.lab.parallel import light
from trunkline.lab.vty import Vty
from trunkline.lab.wiring import Wiring, switch
from trunkline.model.network import Network
from trunkline.model.nouns import Condition
from trunkline.model.problem import Problem, Problems, nearest


def cut(lab: Lab, things: Iterable[str]) -> None:
    """Let things fail together.  Raises Problems where one is not there."""
    things = set(things)
    _known(things, _failing(lab.net), "is not there")
    _change(lab, lambda now: replace(now, down=now.down | things))


def restore(lab: Lab, things: Iterable[str]) -> None:
    """Bring back what was cut or drained; what else is down stays down.  Raises Problems where one is neither."""
    things = set(things)
    condition = lab.state.condition
    _known(things, condition.down | condition.overloaded, "is neither cut nor drained")
    _change(lab, lambda now: replace(now, down=now.down - things, overloaded=now.overloaded - things))


def move(lab: Lab, back: Iterable[str], out: Iterable[str]) -> None:
    """Bring back what was cut, and let other things fail at the same moment.  Raises Problems as `cut` does."""
    back, out = set(back), set(out)
    _known(back, lab.state.condition.down, "is not cut")
    _known(out, _failing(lab.net), "is not there")
    _change(lab, lambda now: replace(now, down=(now.down - back) | out))


def drain(lab: Lab, routers: Iterable[str]) -> None:
    """Set the overload bit of routers.  Raises Problems where one is no router."""
    routers = set(routers)
    _known(routers, lab.net.router, "is no router")
    _change(lab, lambda now: replace(now, overloaded=now.overloaded | routers))


def _failing(net: Network) -> set[str]:
    """Every name that can fail."""
    places = {*net.regions, *(s.name for s in net.sites), *net.router, *net.circuit}
    places |= {card.name for r in net.routers for card in r.cards}
    return places | {risk for c in net.circuits for risk in c.risks} | {*net.port, *net.peer}


def _known(things: Iterable[str], valid: Iterable[str], what: str) -> None:
    valid = set(valid)
    wrong = [
        Problem("", 0, 0, "reference", f"'{thing}' {what}", "", "", nearest(thing, valid))
        for thing in sorted(things)
        if thing not in valid
    ]
    if wrong:
        raise Problems(wrong)


def _change(lab: Lab, change: Callable[[Condition], Condition]) -> None:
    """Do what differs between the condition that is and the one that is wanted.

    It is remembered before it is done: what fails or is interrupted half-way can be restored.
    """
    with state.held(lab.name):
        was = lab.state
        wanted = change(was.condition)
        state.write(lab.name, replace(was, condition=wanted))
        wiring = lab.wiring(was.scale)
        before, after = (_live(lab.net.under(c), wiring) for c in (was.condition, wanted))
        switch(lab.name, [wiring.cables[name] for name in sorted(before - after)], "down")
        if after - before:
            light(lab.name, wiring, after - before)
            with pool() as workers:
                hosts.answer(lab.name, wiring, after, workers)
        for router in sorted(was.condition.overloaded ^ wanted.overloaded):
            overload(lab, router, router in wanted.overloaded or lab.net.router[router].overload)


def _live(now: Network, wiring: Wiring) -> frozenset[str]:
    """The cables that carry light."""
    attached = {f"{dc.name}@{router}" for dc in now.datacenters for router in dc.attach}
    return frozenset(name for name in wiring.cables if name in now.circuit or name in now.port or name in attached)


def overload(lab: Lab, router: str, bit: bool) -> None:
    """Set a router's overload bit, or take it back."""
    with Vty(lab.home / router / "isisd.vty") as isisd:
        lines = ["set-overload-bit" if bit else "no set-overload-bit"]
        if lab.net.igp.multi_topology:  # each topology has a bit of its own (RFC 5120 4)
            lines.append("topology ipv6-unicast" + (" overload" if bit else ""))
        isisd.configure(["router isis core", *lines])
