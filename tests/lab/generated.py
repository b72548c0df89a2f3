"""Networks that nobody drew: 3 to 9 routers, random metrics, peers, policies and overload bits."""

from __future__ import annotations

from itertools import combinations
from random import Random

KINDS = ("transit", "peering", "customer")


def network(seed: int, ibgp: str = "") -> str:
    """Return a network file, with these words in its `ibgp`; the same seed gives the same one.

    It is connected without its overloaded routers, and no two routers have two circuits (FRR issue 19470).
    """
    dice = Random(seed)  # noqa: S311  # a seed is the point of it
    regions = ["west", "east", "north"][: dice.randint(2, 3)]
    routers = [f"r{i}" for i in range(dice.randint(3, 9))]
    loaded = set(dice.sample(routers[2:], dice.randint(0, 1))) if len(routers) > 3 else set()
    lines = ["trunkline: 1", f"name: generated-{seed}", f"regions: [{', '.join(regions)}]", "sites:"]
    lines += [f"  s{i}: {{region: {dice.choice(regions)}}}" for i in range(len(routers))]
    lines.append("routers:")
    for i, name in enumerate(routers):
        role = dice.choice(["dr", "bb", "pr"])
        lines.append(f"  {name}: {{site: s{i}, role: {role}{', overload: true' if name in loaded else ''}}}")
    lines.append("circuits:")
    lines += [
        f"  - {{a: {a}, b: {b}, capacity: 10G, latency: 1ms, metric: {m}}}"
        for a, b, m in _circuits(dice, routers, loaded)
    ]
    topology = dice.choice(["single", "multi"])
    rules = [_rule(dice, regions) for _ in range(dice.randint(0, 3))]
    lines.append(f"igp: {{topology: {topology}}}")
    fallback = dice.choice(["true", "false"])
    more = f"{ibgp}, " if ibgp else ""
    lines.append(f"ibgp: {{{more}profile: frr, fallback_default: {fallback}, policy: [{', '.join(rules)}]}}")
    groups = {f"g{i}": (f"203.0.{110 + i}.0/24", f"2001:db8:f{i}::/48") for i in range(3)}
    lines.append("prefix_groups:")
    lines += [f"  {g}: {{v4: [{four}], v6: ['{six}']}}" for g, (four, six) in groups.items()]
    lines.append("peers:")
    for i in range(dice.randint(1, 4)):
        at = ", ".join(dice.sample(routers, dice.randint(1, 2)))
        said = ", ".join(
            f"{{group: {g}, med: {dice.choice([0, 0, 5])}}}" for g in sorted(dice.sample(sorted(groups), 2))
        )
        other = dice.randint(0, 1)
        asn = 64600 + (0 if "add_path" in ibgp else other)  # two peers of one AS compare MED
        lines.append(f"  p{i}: {{kind: {dice.choice(KINDS)}, asn: {asn}, at: [{at}], port: 10G, announces: [{said}]}}")
    homes = dice.sample(range(len(routers)), 2)
    lines.append("datacenters:")
    lines += [f"  dc{i}: {{site: s{i}, attach: [r{i}]}}" for i in homes]
    return "\n".join(lines) + "\n"


def _circuits(dice: Random, routers: list[str], loaded: set[str]) -> list[tuple[str, str, int]]:
    core = [r for r in routers if r not in loaded]
    pairs = {(core[dice.randrange(i)], core[i]) for i in range(1, len(core))}
    pairs |= {(dice.choice(core), r) for r in sorted(loaded)}
    more = [pair for pair in combinations(routers, 2) if pair not in pairs and pair[::-1] not in pairs]
    pairs |= set(dice.sample(more, min(len(more), dice.randint(1, len(routers)))))
    return [(a, b, dice.choice([1, 5, 5, 10, 10, 20])) for a, b in sorted(pairs)]


def _rule(dice: Random, regions: list[str]) -> str:
    words = [f"cross: {dice.choice(['true', 'false'])}"]
    words += [f"kind: {dice.choice([*KINDS, 'datacenter', 'default'])}"] if dice.random() < 0.7 else []
    words += [f"from: {dice.choice(regions)}"] if dice.random() < 0.5 else []
    words += [f"to: {dice.choice(regions)}"] if dice.random() < 0.5 else []
    words += [f"group: g{dice.randrange(3)}"] if dice.random() < 0.3 else []
    return "{" + ", ".join([*words, f"side: {dice.choice(['export', 'import', 'both'])}"]) + "}"
