"""A rule that is called dead changes nothing, whatever the design and whatever fails."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from lab.generated import alive, with_rules
from trunkline.bgp.policy import heard
from trunkline.bgp.solve import Routes, solve
from trunkline.igp import solve as igp
from trunkline.model import load as loading
from trunkline.model.network import Network


def told(routes: Routes) -> list[object]:
    """What every peer hears at every port of what the port's router uses."""
    net = routes.net
    return [
        (port.name, group, family, heard(net, port, decision.best.route))
        for (router, group, family), decision in sorted(routes.decisions.items())
        for port in net.ports
        if port.router == router
    ]


def converged(net: Network, lost: list[str]) -> Routes:
    after = net.without(*lost)
    return solve(after, igp.solve(after))


@pytest.mark.parametrize("design", ["regional", "full-mesh", "route-reflector", "regional-rr"])
def test_a_dead_rule_changes_nothing(design: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, dead = tmp_path / "net.yaml", 0
    for seed in range(25):
        lines = with_rules(seed, f"design: {design}")
        kept = alive(lines)
        dead += len(lines) - len(kept)
        file.write_text("\n".join(kept))
        without = loading.load(file).network
        with monkeypatch.context() as patch:
            patch.setattr(loading, "check_rules", lambda *_: None)
            file.write_text("\n".join(lines))
            whole = loading.load(file).network
        things = [c.name for c in whole.circuits] + [r.name for r in whole.routers] + [p.name for p in whole.ports]
        for lost in ([], *([thing] for thing in Random(seed).sample(things, 4))):  # noqa: S311
            one, other = converged(whole, lost), converged(without, lost)
            assert one.decisions == other.decisions
            assert told(one) == told(other)
    assert dead > 50  # or nothing was tried
