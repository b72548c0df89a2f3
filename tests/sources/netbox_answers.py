"""What a NetBox of five devices answers, in the form of its REST API (v4): written by hand, no one's network."""

from __future__ import annotations

from typing import Any


def device(id_: int, name: str | None, site: int, role: str) -> dict[str, Any]:
    return {
        "id": id_, "url": f"/api/dcim/devices/{id_}/", "name": name, "status": {"value": "active", "label": "Active"},
        "site": {"id": site, "name": f"site {site}", "slug": f"s{site}"}, "role": {"id": 1, "name": role, "slug": role},
    }  # fmt: skip


def interface(
    id_: int,
    owner: tuple[int, str],
    far: tuple[int, int, str],
    cable: int,
    kind: str = "100gbase-x-qsfp28",
    **more: Any,
) -> dict[str, Any]:
    """An interface and the one that NetBox's trace finds at the other end."""
    far_id, far_device, far_name = far
    endpoint = {"id": far_id, "name": "eth0", "device": {"id": far_device, "name": far_name}}
    return {
        "id": id_, "url": f"/api/dcim/interfaces/{id_}/", "name": f"eth{id_}", "speed": None,
        "device": {"id": owner[0], "name": owner[1]}, "type": {"value": kind, "label": kind},
        "cable": {"id": cable, "label": ""}, "connected_endpoints": [endpoint],
        "connected_endpoints_type": "dcim.interface", "connected_endpoints_reachable": True,
        "link_peers": [], "link_peers_type": None, **more,
    }  # fmt: skip


def site(id_: int, lat: float | None, lon: float | None, region: str | None) -> dict[str, Any]:
    where = {"id": id_, "name": region, "slug": region} if region else None
    return {"id": id_, "name": f"site {id_}", "slug": f"s{id_}", "latitude": lat, "longitude": lon, "region": where}


TERMINATION: dict[str, Any] = {
    "link_peers_type": "circuits.circuittermination",
    "link_peers": [{"id": 5, "circuit": {"cid": "ACME 77"}}],
}
DEVICES = [
    device(1, "ams-bb1", 1, "bb"),
    device(2, "ams-bb2", 1, "core-router"),
    device(3, "nyc-bb1", 2, "bb"),
    device(4, None, 2, "bb"),
    device(5, "ams-sw1", 1, "switch"),
]
ANSWERS: dict[str, list[dict[str, Any]]] = {
    "dcim/sites": [site(1, 52.3, 4.9, "europe"), site(2, None, None, None)],
    "dcim/devices": DEVICES,
    "dcim/cables": [
        {"id": 11, "label": "patch-1", "length": 250.0, "length_unit": {"value": "m", "label": "Meters"}},
        {"id": 12, "label": "", "length": None, "length_unit": None},
        {"id": 13, "label": "", "length": None, "length_unit": None},
        {"id": 14, "label": "", "length": 2.0, "length_unit": {"value": "km", "label": "Kilometers"}},
    ],
    "dcim/interfaces": [
        interface(101, (1, "ams-bb1"), (102, 2, "ams-bb2"), 11),
        interface(102, (2, "ams-bb2"), (101, 1, "ams-bb1"), 11, "400gbase-x-qsfpdd"),
        interface(103, (1, "ams-bb1"), (104, 3, "nyc-bb1"), 12, speed=40_000_000, **TERMINATION),
        interface(104, (3, "nyc-bb1"), (103, 1, "ams-bb1"), 13, speed=40_000_000, **TERMINATION),
        interface(105, (3, "nyc-bb1"), (106, 4, "?"), 14, "virtual"),
        interface(106, (4, "?"), (105, 3, "nyc-bb1"), 14, "virtual"),
        interface(107, (2, "ams-bb2"), (108, 5, "ams-sw1"), 15, "1000base-t"),
        interface(108, (5, "ams-sw1"), (107, 2, "ams-bb2"), 15, "1000base-t"),
        {**interface(109, (1, "ams-bb1"), (1, 1, ""), 16), "connected_endpoints_type": "circuits.providernetwork"},
    ],
}  # fmt: skip
