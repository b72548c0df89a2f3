"""What things cost, by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from nets import GIG, circuit
from trunkline.model.load import load
from trunkline.model.prices import Prices

FILE = """\
trunkline: 1
regions: [r]
sites: {s: {region: r, routers: {bb: 2}}, t: {region: r, routers: {bb: 1}}}
defaults: {circuits: {reservable: 90%}}
circuits: [{a: s-bb1, b: t-bb1, capacity: 400G, members: 4, length: 1000 km}]
prices:
  unit: kEUR
  circuit: {per_end: 12.5, per_km: 0.1}
  member: [{capacity: 400G, price: 99.999}]
  port: 20
  candidates: [{a: s-bb2, b: t-bb1, capacity: 200G, length: 1000 km, price: 300, risks: [duct]}]
"""


def test_prices_are_read_exactly(tmp_path: Path) -> None:
    file = tmp_path / "net.yaml"
    file.write_text(FILE)
    prices = load(file).network.prices
    assert prices is not None
    assert (prices.unit, prices.per_end, prices.per_km, prices.port) == ("kEUR", 12_500, 100, 20_000)
    assert prices.member == ((400 * GIG, 99_999),)
    (candidate,) = prices.candidates
    assert (candidate.price, candidate.circuit.name, candidate.circuit.risks) == (300_000, "s-bb2--t-bb1", ("duct",))
    assert (candidate.circuit.reservable, candidate.circuit.latency) == (180 * GIG, 4900), "as circuits' defaults say"


def test_a_member_costs_what_is_listed_else_its_ends_and_its_km() -> None:
    """A member of 100G over 1,000 km (4,900 us): 2 x 12.5 and 1,000 x 0.1 are 125."""
    bundle = replace(circuit("a", "b", gbps=400), members=4, latency=4900)
    built = Prices("kEUR", 12_500, 100)
    assert built.of_member(bundle) == 125_000
    assert replace(built, member=((100 * GIG, 7),)).of_member(bundle) == 7
    assert replace(built, member=((400 * GIG, 7),)).of_member(bundle) == 125_000, "of a member, not of the bundle"
    assert Prices("kEUR", member=((400 * GIG, 7),)).of_member(bundle) is None
    assert Prices("kEUR", per_km=1).of_member(replace(bundle, latency=1)) == 1, "204 m, rounded up"
