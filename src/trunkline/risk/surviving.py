"""Which failures have to be survived, from a word: none, any single one, or those of some kinds."""

from __future__ import annotations

from trunkline.model.network import Network
from trunkline.model.problem import Problem, Problems, nearest
from trunkline.risk.scenario import EVERY, SINGLES, Kind, Scenario, scenarios


def surviving(net: Network, word: str) -> tuple[Scenario, ...]:
    """Return the failures that `0` (none), `1` (any single one) or `KIND,...` stands for.

    Raises Problems for another word, and where nothing of these kinds can fail.
    """
    if word == "0":
        return ()
    return scenarios(net, SINGLES if word == "1" else [_kind(part) for part in word.split(",")])


def _kind(word: str) -> Kind:
    if word not in set(EVERY):
        message = f"'{word}' is not what can be survived"
        expected = "0, 1, or kinds of failure out of " + ", ".join(EVERY)
        raise Problems([Problem("", 0, 0, "option", message, "surviving", expected, nearest(word, EVERY))])
    return Kind(word)
