"""Designs by name: `regional`, `route-reflector+add-path=all+best-external`, and what each makes of a network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from trunkline.model.network import Network
from trunkline.model.nouns import AddPath, Ibgp
from trunkline.model.problem import Problem, Problems, nearest

USUAL = (
    "regional",
    "full-mesh",
    "full-mesh+add-path",
    "route-reflector",
    "route-reflector+add-path",
    "route-reflector+optimal",
    "regional-rr",
)
"""What is compared where nobody says what, beside the file's own design."""
BASES = ("regional", "full-mesh", "route-reflector", "regional-rr")
MODES = "all, per-as, none or a number from 2 to 64"


@dataclass(frozen=True)
class Design:
    """A design under the name that it was asked for by."""

    name: str
    ibgp: Ibgp

    def of(self, net: Network) -> Network:
        """Return the network under this design; all else is as it was."""
        return replace(net, ibgp=self.ibgp)


def design(net: Network, text: str) -> Design:
    """Return the design that a text such as `route-reflector+add-path=2` names, on this network.

    What the text does not say (profile, policy, multipath, the fallback default) is as the file has it; `file` is the
    file's own design.  Raises Problems for a word that is none, or a reflector that is no router.
    """
    base, *options = text.split("+")
    if base == "file":
        ibgp = net.ibgp
    elif base in BASES:
        ibgp = replace(
            net.ibgp, design=base, confine=None, shared_cluster=False, add_path=AddPath(), best_external=False,
            optimal=False, sessions=(), client_to_client=None,
        )  # fmt: skip
    else:
        raise _refused(text, base, ("file", *BASES), "a design")
    for option in options:
        word, _, value = option.partition("=")
        if word not in OPTIONS:
            raise _refused(text, word, tuple(OPTIONS), "an option")
        ibgp = OPTIONS[word](net, text, ibgp, value)
    return Design(text, ibgp)


def usual(net: Network) -> list[Design]:
    """Return the file's own design, under its name if it is a plain one, and the usual others."""
    found = [design(net, text) for text in USUAL]
    own = next((d for d in found if d.ibgp == net.ibgp), None) or Design("file", net.ibgp)
    return [own, *(d for d in found if d is not own)]


def chosen(net: Network, texts: Sequence[str]) -> list[Design]:
    """Return the designs that were asked for, each once, or the usual ones."""
    return [design(net, text) for text in dict.fromkeys(texts)] if texts else usual(net)


Option = Callable[[Network, str, Ibgp, str], Ibgp]


def _add_path(*audiences: str) -> Option:
    def apply(net: Network, text: str, ibgp: Ibgp, value: str) -> Ibgp:
        mode = value or "all"
        if mode not in ("all", "per-as", "none") and not (mode.isascii() and mode.isdigit() and 2 <= int(mode) <= 64):
            raise Problems([Problem(text, 0, 0, "design", f"'{mode}' says not which paths", expected=MODES)])
        return replace(ibgp, add_path=replace(ibgp.add_path, **dict.fromkeys(audiences, mode)))

    return apply


def _reflectors(net: Network, text: str, ibgp: Ibgp, value: str) -> Ibgp:
    named = tuple(sorted(set(value.split(","))))
    for router in named:
        if router not in net.router:
            raise _refused(text, router, tuple(net.router), "a router")
    return replace(ibgp, reflectors=named)


def _switch(turn: Callable[[Ibgp], Ibgp]) -> Option:
    def apply(net: Network, text: str, ibgp: Ibgp, value: str) -> Ibgp:
        if value:
            raise Problems([Problem(text, 0, 0, "design", f"'{value}' says nothing here", expected="the word alone")])
        return turn(ibgp)

    return apply


OPTIONS: dict[str, Option] = {
    "add-path": _add_path("to_clients", "to_reflectors", "to_peers"),
    "add-path-down": _add_path("to_clients"),
    "add-path-up": _add_path("to_reflectors"),
    "best-external": _switch(lambda ibgp: replace(ibgp, best_external=True)),
    "optimal": _switch(lambda ibgp: replace(ibgp, optimal=True)),
    "shared-cluster": _switch(lambda ibgp: replace(ibgp, shared_cluster=True)),
    "confine": _switch(lambda ibgp: replace(ibgp, confine=True)),
    "no-confine": _switch(lambda ibgp: replace(ibgp, confine=False)),
    "fallback": _switch(lambda ibgp: replace(ibgp, fallback_default=True)),
    "no-fallback": _switch(lambda ibgp: replace(ibgp, fallback_default=False)),
    "reflectors": _reflectors,
}
"""What may follow a design's name, after a `+`."""


def _refused(text: str, word: str, known: tuple[str, ...], what: str) -> Problems:
    expected = ", ".join(known) if len(known) < 20 else what
    found = Problem(text, 0, 0, "design", f"'{word}' is not {what}", "", expected, nearest(word, known))
    return Problems([found])
