"""The link network of every circuit and peer port, and the prefixes of every group: pinned, listed, or from the name.

A collision is an error that prints the pin to add; nothing is ever moved out of the way.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv4Network, IPv6Interface, IPv6Network

from trunkline.model.address import link, prefix
from trunkline.model.network import Network
from trunkline.model.nouns import Family, PrefixGroup
from trunkline.model.problem import Problem, Problems

STANDINS = 16
"""How many prefixes stand for a group that lists none, at most."""

Net = IPv4Network | IPv6Network


@dataclass(frozen=True)
class Ends:
    """A link's two addresses of each family, the lower one first."""

    v4: tuple[IPv4Interface, IPv4Interface]
    v6: tuple[IPv6Interface, IPv6Interface]


def links(net: Network) -> dict[str, Ends]:
    """Return the ends of every circuit and port, by name.  Raises Problems where two links share addresses."""
    pinned = {link.name: link for link in net.links}
    nets: dict[str, tuple[IPv4Network, IPv6Network]] = {}
    for name in sorted([*(c.name for c in net.circuits), *(p.name for p in net.ports)]):
        four, six = link(name)
        pin = pinned.get(name)
        nets[name] = (pin.v4 or four, pin.v6 or six) if pin else (four, six)
    _check_apart(nets, {r.name: (IPv4Network(r.loopback), IPv6Network(r.loopback6)) for r in net.routers})
    return {name: Ends(_ends4(four), _ends6(six)) for name, (four, six) in nets.items()}


def _check_apart(
    nets: dict[str, tuple[IPv4Network, IPv6Network]], loopbacks: dict[str, tuple[IPv4Network, IPv6Network]]
) -> None:
    """Raise Problems where a link's network overlaps another's or holds a loopback: only neighbours in order can."""
    problems = []
    for family in (0, 1):
        order = sorted((pair[family], name) for name, pair in {**nets, **loopbacks}.items())
        used = [found for found, _ in order]
        for (one, holder), (other, name) in itertools.pairwise(order):
            if not one.overlaps(other):
                continue
            if name in loopbacks:
                moves, taken, message = holder, one, f"{one} of '{holder}' has the loopback of '{name}' in it"
            else:
                moves, taken, message = name, other, f"{other} of '{name}' overlaps {one} of '{holder}'"
            expected = f"`addresses: {{{moves}: [{_free(taken, used)}]}}`"
            problems.append(Problem("", 0, 0, "link-network", message, f"addresses.{moves}", expected))
    if problems:
        raise Problems(problems)


def _free(taken: Net, used: Iterable[Net]) -> Net:
    """The nearest network of the same size that nobody has: above if there is one, else below."""
    size, at = taken.num_addresses, int(taken.network_address)
    above, below = range(at + size, 2**taken.max_prefixlen, size), range(at - size, 0, -size)
    made = (type(taken)((first, taken.prefixlen)) for first in itertools.chain(above, below))
    return next(found for found in made if not any(found.overlaps(other) for other in used))


def _ends4(net: IPv4Network) -> tuple[IPv4Interface, IPv4Interface]:
    low, high = _hosts(net)
    return IPv4Interface((low, net.prefixlen)), IPv4Interface((high, net.prefixlen))


def _ends6(net: IPv6Network) -> tuple[IPv6Interface, IPv6Interface]:
    low, high = _hosts(net)
    return IPv6Interface((low, net.prefixlen)), IPv6Interface((high, net.prefixlen))


def _hosts(net: Net) -> tuple[int, int]:
    """The two usable addresses: all of a /31 or /127 (RFC 3021, RFC 6164), the middle of a larger one."""
    first = int(net.network_address) + (0 if net.num_addresses == 2 else 1)
    return first, first + 1


def listed(group: PrefixGroup) -> PrefixGroup:
    """Return the group with prefixes: its own or, where it lists none, a few that stand for them."""
    if group.prefixes:
        return group
    made = sorted(_standins(group), key=lambda p: (p.version, int(p.network_address)))
    return PrefixGroup(group.name, group.v4, group.v6, tuple(made))


def _standins(group: PrefixGroup) -> Iterator[Net]:
    for family, count in ((Family.V4, group.v4), (Family.V6, group.v6)):
        for number in range(min(count, STANDINS)):
            yield prefix(group.name, number)[family is Family.V6]
