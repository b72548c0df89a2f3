"""The rules that fill, change or leave out something on the way in, and the record of every time one did.

docs/how-to/import.md has the same table; a test holds the two together.
"""

from __future__ import annotations

from collections import defaultdict

RULES = {
    "capacity-by-type": "An interface without a speed has that of its type, such as `100gbase-x-qsfp28`.",
    "capacity-default": "A link without a capacity has 100G; `defaults` in the file says so once.",
    "capacity-module": "A link with nothing installed has the largest of the modules that it may get.",
    "capacity-smaller": "Where the two directions or ends of a link differ in capacity, the smaller one counts.",
    "class-one": "Traffic has one class, `traffic`; LSPs without priorities have its 7/7.",
    "demand-to-itself": "A demand that ends where it starts is left out.",
    "demand-zero": "A demand of no traffic is left out.",
    "gravity": "Demands between all routers, each pair alike, because `--gravity` asks for them.",
    "latency-by-distance": (
        "A link without a latency or length is as long as the great circle between its ends; real fibre is longer."
    ),
    "latency-default": "A link without latency, length or positions has 1ms; `defaults` in the file says so once.",
    "latency-in-site": "A link inside a site without a latency or length has 10us.",
    "left-out": "What the network file has no word for is left out.",
    "length-drawn": "Lengths that were measured on a drawing are left out with its positions.",
    "lsp-bandwidth-zero": "An LSP whose source names no bandwidths reserves nothing.",
    "lsp-unresolved": "An LSP whose explicit path cannot be followed over the links is left out, with the reason.",
    "matrix-one": "Of several traffic matrices one is taken: the first, or the one that `--matrix` names.",
    "metric-by-latency": "A link without a metric has one per 10 us of latency, at least 1.",
    "name-missing": "A node without a name, where others have one, is `node-ID`.",
    "name-parallel": "Parallel links without names are `A--B-1`, `A--B-2` and so on, in the order of the source.",
    "name-sanitised": "A name keeps letters, digits, `.`, `_`, `-`; accents go, others become `-`, long ones are cut.",
    "name-suffix": "A name that is taken ends in `-2`, `-3` and so on, in the order of the source.",
    "node-implied": "A node that only links name is a node all the same.",
    "one-way": "A link that is given in one direction only is taken in both.",
    "pair-by-order": "Parallel directed links without circuit ids are paired in the order of the source.",
    "position-drawn": "Where one position is off the globe they are a drawing, and all of them are left out.",
    "position-zero": "A position at 0 0 is taken as unknown.",
    "region-one": "A node without a region is in the region `main`.",
    "role-bb": "A node without a role is a backbone router.",
    "row-short": "A row that ends early leaves its last columns empty.",
    "rsvp-off": "A link without RSVP has the admin group `no-rsvp`, and every LSP excludes it.",
    "site-per-node": "A node without a site has one of its own, `NAME-site`.",
    "unit-assumed": "Rates without a unit are Mbit/s.",
}
"""Name -> what it does, in one line."""


class Ledger:
    """Which rule was applied to what, in the order in which it happened."""

    def __init__(self) -> None:
        self._applied: dict[str, list[str]] = defaultdict(list)

    def apply(self, rule: str, subject: str) -> None:
        """Record that `rule` (a key of RULES) was applied to `subject`: a name, and the reason where there is one."""
        if rule not in RULES:
            raise KeyError(rule)
        self._applied[rule].append(subject)

    def applied(self) -> dict[str, tuple[str, ...]]:
        """Return the subjects of every rule that was applied, rules by name."""
        return {rule: tuple(self._applied[rule]) for rule in sorted(self._applied)}
