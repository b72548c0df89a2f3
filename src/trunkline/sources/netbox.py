"""NetBox, over its REST API: sites, devices, and the interfaces that cables and circuits connect.

`netbox:https://netbox.example.net?role=backbone`: what follows the question mark selects devices, as in NetBox itself.
The token comes from NETBOX_TOKEN.  Nothing is written to the server.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

from trunkline.model.document import Place, Spot
from trunkline.model.problem import Missing, Problem, Problems
from trunkline.sources.missing import optional
from trunkline.sources.reading import Reading
from trunkline.sources.sketch import Link, Node, Sketch

TITLE = "NetBox"
TOKEN = "NETBOX_TOKEN"  # noqa: S105 - the name of the variable, not what is in it
TIMEOUT_S = 30
_KM = {"km": "1", "m": "0.001", "cm": "0.00001", "mi": "1.609344", "ft": "0.0003048", "in": "0.0000254"}
_TYPE = re.compile(r"([0-9]+(?:\.[0-9]+)?)(g?)base")
_KBIT = 1000

Entry = Mapping[str, Any]


def read(sources: Sequence[str], reading: Reading) -> Sketch:
    """Return the devices that the source selects and the links among them.

    Raises Missing without the client, the token or an answer, and Problems where the server refuses.
    """
    url = _url(sources[0])
    server = f"{url.scheme}://{url.netloc}{url.path}".rstrip("/")
    chosen = parse_qs(url.query)
    for name in {"limit", "offset"} & chosen.keys():
        message = f"`{name}` pages through answers and selects no devices"
        raise Problems([Problem(sources[0], 0, 0, "url", message, expected="filters such as role=backbone")])
    lists = _fetch(server, chosen)
    sites = {str(site["id"]): site for site in lists["sites"]}
    nodes = tuple(_node(server, device, sites, reading) for device in lists["devices"])
    links = _links(server, lists, reading)
    return Sketch(url.hostname or "netbox", TITLE, server, nodes, links)


def _url(source: str) -> SplitResult:
    written = source.removeprefix("netbox:")
    try:
        url = urlsplit(written)
    except ValueError:  # half of the brackets of an IPv6 address
        url = urlsplit("")
    if url.scheme not in ("http", "https") or not url.netloc:
        message = f"'{written}' is no address of a server"
        raise Problems([Problem(source, 0, 0, "url", message, expected="netbox:https://netbox.example.net")])
    return url


def _fetch(server: str, chosen: Mapping[str, list[str]]) -> dict[str, list[dict[str, Any]]]:
    pynetbox, requests = optional("pynetbox"), optional("requests")
    token = os.environ.get(TOKEN)
    if not token:
        raise Missing(f"no token for {server}: set {TOKEN} to one that may read")
    api = pynetbox.api(server, token=token)
    api.http_session.request = functools.partial(api.http_session.request, timeout=TIMEOUT_S)
    devices = api.dcim.devices
    try:
        found = {
            "sites": api.dcim.sites.all(),
            "devices": devices.filter(**chosen) if chosen else devices.all(),
            "interfaces": api.dcim.interfaces.filter(connected=True),
            "cables": api.dcim.cables.all(),
        }
        lists = {name: [dict(record) for record in records] for name, records in found.items()}
    except pynetbox.RequestError as error:
        status = error.req.status_code
        message = f"the server refuses: {status} {error.req.reason} ({urlsplit(error.req.url).path})"
        expected = "a token that may read" if status in (401, 403) else ""
        raise Problems([Problem(server, 0, 0, "netbox", message, expected=expected)]) from None
    except (requests.RequestException, pynetbox.ContentError, *_UNREAD) as error:
        raise Missing(f"{server} does not answer as NetBox does ({type(error).__name__})") from None
    odd = next((f"{name}: {odd}" for name, records in lists.items() for record in records if (odd := _odd(record))), "")
    if odd:
        raise Missing(f"{server} does not answer as NetBox does ({odd})")
    return lists


_UNREAD = (AttributeError, LookupError, TypeError, ValueError)
"""What the client runs into where objects have not the shape that it expects."""
_OBJECTS = ("cable", "circuit", "device", "device_role", "length_unit", "region", "role", "site", "type")
_LISTS = ("connected_endpoints", "link_peers")


def _odd(record: Entry) -> str:
    """Return what of an object has not the shape that NetBox gives it, and is read here; empty where nothing is."""
    if type(record.get("id")) is not int:
        return "an object without a number as its `id`"
    for key in _OBJECTS:
        if not isinstance(record.get(key) or {}, Mapping):
            return f"`{key}` is no object"
    for key in _LISTS:
        listed = record.get(key) or []
        if not isinstance(listed, list) or not all(isinstance(item, Mapping) for item in listed):
            return f"`{key}` is no list of objects"
        found = next((odd for item in listed if (odd := _odd(item))), "")
        if found:
            return found
    return ""


def _node(server: str, device: Entry, sites: Mapping[str, Entry], reading: Reading) -> Node:
    id_ = str(device["id"])
    spot = Spot(Place(server, 0, 0), f"devices[id={id_}]")
    site = sites.get(str((device.get("site") or {}).get("id")), {})
    lat, lon = (_decimal(site.get(key), spot, key, reading) for key in ("latitude", "longitude"))
    role = str((device.get("role") or device.get("device_role") or {}).get("slug") or "")
    return Node(
        id_,
        spot,
        name=str(device.get("name") or ""),
        site=str(site.get("slug") or ""),
        region=str((site.get("region") or {}).get("slug") or ""),
        role=role if role in ("dr", "bb", "pr") else "",
        lat=lat,
        lon=lon,
    )


def _decimal(value: object, spot: Spot, what: str, reading: Reading) -> Decimal | None:
    return None if value is None else reading.number(str(value), spot, what, None)


def _links(server: str, lists: Mapping[str, Sequence[Entry]], reading: Reading) -> tuple[Link, ...]:
    """Return a link for every two interfaces that NetBox's own trace joins, through panels and circuits if need be."""
    devices = {str(device["id"]) for device in lists["devices"]}
    interfaces = {str(found["id"]): found for found in lists["interfaces"]}
    cables = {str(cable["id"]): cable for cable in lists["cables"]}
    links = []
    beyond = 0
    for id_, one in interfaces.items():
        if one.get("connected_endpoints_type") != "dcim.interface":
            continue
        for endpoint in one.get("connected_endpoints") or ():
            other = interfaces.get(str(endpoint["id"]), endpoint)
            if not {_device(one), _device(other)} <= devices:
                beyond += _device(one) in devices
            elif str(endpoint["id"]) not in interfaces or int(id_) < int(endpoint["id"]):
                spot = Spot(Place(server, 0, 0), f"interfaces[id={id_}]")
                links.append(_link(spot, one, other, cables, reading))
    if beyond:
        reading.ledger.apply("left-out", f"{beyond} link{'s' * (beyond > 1)} to devices that were not selected")
    return tuple(links)


def _device(interface: Entry) -> str:
    return str((interface.get("device") or {}).get("id"))


def _link(spot: Spot, one: Entry, other: Entry, cables: Mapping[str, Entry], reading: Reading) -> Link:
    speeds = [_speed(spot, one, reading), _speed(spot, other, reading)]
    if len(set(speeds)) > 1:
        reading.ledger.apply("capacity-smaller", f"{_label(one)} and {_label(other)}")
    ids = [str((end.get("cable") or {}).get("id")) for end in (one, other)]
    cable = cables.get(ids[0], {}) if ids[0] == ids[1] else {}
    circuit: Entry = next((peer["circuit"] for peer in one.get("link_peers") or () if peer.get("circuit")), {})
    return Link(
        _device(one),
        _device(other),
        spot,
        name=str(circuit.get("cid") or cable.get("label") or ""),
        capacity=min((speed for speed in speeds if speed), default=None),
        length=_length(spot, cable, reading),
    )


def _label(interface: Entry) -> str:
    return f"{(interface.get('device') or {}).get('name')} {interface.get('name')}"


def _speed(spot: Spot, interface: Entry, reading: Reading) -> int | None:
    """Return the speed of an interface in bit/s, or what its type says, as `100gbase-x-qsfp28`."""
    if interface.get("speed"):
        return reading.bits(str(interface["speed"]), spot, "speed", _KBIT)
    kind = str((interface.get("type") or {}).get("value") or "")
    match = _TYPE.match(kind)
    if match is None:
        return None
    reading.ledger.apply("capacity-by-type", f"{_label(interface)}: {kind}")
    return int(Decimal(match[1]) * 10 ** (9 if match[2] else 6))


def _length(spot: Spot, cable: Entry, reading: Reading) -> Decimal | None:
    unit = str((cable.get("length_unit") or {}).get("value") or "")
    if cable.get("length") is None or unit not in _KM:
        return None
    length = reading.number(str(cable["length"]), spot, "cable length")
    return None if length is None else round(length * Decimal(_KM[unit]), 6)
