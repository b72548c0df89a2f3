"""Networks that nobody drew: 3 to 9 routers, random metrics, peers, policies and overload bits."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from trunkline.model.load import load
from trunkline.model.problem import Problems

KINDS = ("transit", "peering", "customer")


def network(seed: int, ibgp: str = "") -> str:
    """Return a network file, with these words in its `ibgp`; the same seed gives the same one.

    It is connected without its overloaded routers, and no two routers have two circuits (FRR issue 19470).
    """
    return "\n".join(alive(_drawn(seed, ibgp))) + "\n"


def ruled(seed: int) -> str:
    """Return a network file as `network` does, with rules at peers, communities, and more rules between regions."""
    return "\n".join(alive(with_rules(seed))) + "\n"


def with_rules(seed: int, ibgp: str = "") -> list[str]:
    """Return the lines of a network file, a rule each, before those are taken out that can match nothing."""
    dice = Random(-seed)  # noqa: S311
    lines, asn = [], ""
    for line in _drawn(seed, ibgp):
        asn = line.split()[-1] if line.startswith("    asn: ") else asn
        if line.endswith("policy: ["):
            lines += [line, *(f"    {rich_rule(dice)}," for _ in range(dice.randint(2, 5)))]
        elif line.endswith("announces:"):
            for key in ("import", "export"):
                rules = [f"      {peer_rule(dice, key)}," for _ in range(dice.randint(0, 3))]
                lines += [f"    {key}: [", *rules, "    ]"]
            lines.append(line)
        elif line.startswith("      - {group: "):
            longer = f", path: [{asn}, 65100]" if dice.random() < 0.3 else ""
            lines.append(line.replace("}", f"{longer}, communities: {dice.choice(SAID)}}}"))
        else:
            lines.append(line)
    return lines


def alive(lines: list[str]) -> list[str]:
    """Return the lines of a file without the rules that can match nothing."""
    while dead := dead_lines(lines):
        lines = [line for number, line in enumerate(lines, 1) if number not in dead]
    return lines


def dead_lines(lines: list[str]) -> set[int]:
    """Return the numbers of the lines with such rules."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "net.yaml"
        file.write_text("\n".join(lines))
        try:
            load(file)
        except Problems as found:
            if any(problem.code != "dead-rule" for problem in found.problems):
                raise
            return {problem.line for problem in found.problems}
    return set()


SAID = ('["64600:1"]', '["64600:1", "64600:2"]', '["64600:1:1"]')
MARKS = (*SAID, '["64512:9"]', '["64512:9:9"]')


def conditions(dice: Random) -> list[str]:
    """Draw what any rule may ask for."""
    found = [f"communities: {dice.choice(MARKS)}"] if dice.random() < 0.4 else []
    found += [f'as_path: "{dice.choice(("_64600_", "_64601$", "^64600 65100"))}"'] if dice.random() < 0.3 else []
    number = dice.randrange(3)
    ranges = f'group: g{number}, prefixes: ["203.0.{110 + number}.0/24 le 32", "2001:db8::/32 le 64"]'
    return found + ([ranges] if dice.random() < 0.3 else [])


def setting(dice: Random, *more: str) -> str:
    """Draw what a rule sets."""
    options = [f"med: {dice.randint(0, 9)}", f"communities: {dice.choice(MARKS)}", *more]
    return f"set: {{{', '.join(dice.sample(options, dice.randint(1, 2)))}}}"


def rich_rule(dice: Random) -> str:
    """Draw a rule between regions."""
    words = conditions(dice)
    words += [f"kind: {dice.choice([*KINDS, 'default'])}"] if dice.random() < 0.4 else []
    words += [f"{dice.choice(('from', 'to'))}: {dice.choice(('west', 'east'))}"] if dice.random() < 0.5 else []
    acts = dice.choice(["cross: true", "cross: false", "set", "set"])
    words += [acts] if acts != "set" else [setting(dice, f"local_pref: {dice.choice([60, 150, 250])}")]
    return "{" + ", ".join([*words, f"side: {dice.choice(['export', 'import', 'both'])}"]) + "}"


def peer_rule(dice: Random, key: str) -> str:
    """Draw a rule of a peer's."""
    acts = dice.choice(["accept: true", "accept: false", "set", "set", "set"])
    if key == "import":
        words = conditions(dice)
        more = [f"local_pref: {dice.choice([60, 150, 250])}", f"prepend: {dice.randint(1, 2)}"]
    else:
        words = [f"kind: {dice.choice(('customer', 'datacenter'))}"] if dice.random() < 0.5 else []
        words += [f"region: {dice.choice(('west', 'east'))}"] if dice.random() < 0.3 else []
        more = [f"prepend: {dice.randint(1, 2)}"]
    return "{" + ", ".join([*words, acts if acts != "set" else setting(dice, *more)]) + "}"


def _drawn(seed: int, ibgp: str = "") -> list[str]:
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
    lines += [f"ibgp: {{{more}profile: frr, fallback_default: {fallback}, policy: ["]
    lines += [*(f"    {r}," for r in rules), "  ]}"]
    groups = {f"g{i}": (f"203.0.{110 + i}.0/24", f"2001:db8:f{i}::/48") for i in range(3)}
    lines.append("prefix_groups:")
    lines += [f"  {g}: {{v4: [{four}], v6: ['{six}']}}" for g, (four, six) in groups.items()]
    lines.append("peers:")
    for i in range(dice.randint(1, 4)):
        at = ", ".join(dice.sample(routers, dice.randint(1, 2)))
        said = [f"{{group: {g}, med: {dice.choice([0, 0, 5])}}}" for g in sorted(dice.sample(sorted(groups), 2))]
        other = dice.randint(0, 1)
        asn = 64600 + (0 if "add_path" in ibgp else other)  # two peers of one AS compare MED
        lines += [f"  p{i}:", f"    kind: {dice.choice(KINDS)}", f"    asn: {asn}", f"    at: [{at}]", "    port: 10G"]
        lines += ["    announces:", *(f"      - {a}" for a in said)]
    homes = dice.sample(range(len(routers)), 2)
    lines.append("datacenters:")
    lines += [f"  dc{i}: {{site: s{i}, attach: [r{i}]}}" for i in homes]
    return lines


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
