"""NetBox through its own client, against a server on this machine that gives the answers written beside this."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from imported import imported
from sources.netbox_answers import ANSWERS
from trunkline.model.problem import Missing, Problems

pytest.importorskip("pynetbox", reason="pynetbox is not installed")
PAGE = 4


class Answering(BaseHTTPRequestHandler):
    """Answers in pages, filters devices by role, and refuses without the token."""

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        name = url.path.removeprefix("/api/").strip("/")
        if self.headers["Authorization"] != "Token secret":
            self.answer(403, {"detail": "Authentication credentials were not provided."})
        elif name not in ANSWERS:
            self.answer(404, {"detail": "Not found."})
        else:
            roles = query.get("role")
            rows = [row for row in ANSWERS[name] if roles is None or row["role"]["slug"] in roles]
            at = int(query.get("offset", ["0"])[0])
            host = self.headers["Host"]
            more = f"http://{host}{url.path}?limit={PAGE}&offset={at + PAGE}" if at + PAGE < len(rows) else None
            self.answer(200, {"count": len(rows), "next": more, "previous": None, "results": rows[at : at + PAGE]})

    def answer(self, status: int, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Say nothing."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("NETBOX_TOKEN", "secret")
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}"
        listening.shutdown()
        thread.join()


def test_devices_and_what_joins_them(server: str) -> None:
    brought, net = imported(f"netbox:{server}")
    assert [(r.name, r.site, r.region, r.role) for r in net.routers] == [
        ("ams-bb1", "s1", "europe", "bb"),
        ("ams-bb2", "s1", "europe", "bb"),
        ("ams-sw1", "s1", "europe", "bb"),
        ("node-4", "s2", "main", "bb"),
        ("nyc-bb1", "s2", "main", "bb"),
    ]
    assert brought.applied["role-bb"] == ("ams-bb2", "ams-sw1")
    assert [(c.name, c.a, c.b, c.capacity, c.latency) for c in net.circuits] == [
        ("ACME-77", "ams-bb1", "nyc-bb1", 40 * 10**9, 1000),  # 40,000,000 kbit/s; nyc has no position
        ("ams-bb2--ams-sw1", "ams-bb2", "ams-sw1", 10**9, 10),
        ("node-4--nyc-bb1", "nyc-bb1", "node-4", 100 * 10**9, 10),  # 2 km at 4.9 us
        ("patch-1", "ams-bb1", "ams-bb2", 100 * 10**9, 1),  # 250 m is 1.225 us; the smaller of 100G and 400G
    ]
    assert [(s.name, s.lat, s.lon) for s in net.sites] == [("s1", 52.3, 4.9), ("s2", None, None)]


def test_a_query_selects_devices(server: str) -> None:
    brought, net = imported(f"netbox:{server}?role=bb&role=core-router")
    assert [r.name for r in net.routers] == ["ams-bb1", "ams-bb2", "node-4", "nyc-bb1"]
    assert brought.applied["left-out"] == ("1 link to devices that were not selected",)


def test_a_refusal_is_said(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NETBOX_TOKEN", "wrong")
    with pytest.raises(Problems, match=r"the server refuses: 403 Forbidden \(/api/dcim/sites/\)") as caught:
        imported(f"netbox:{server}")
    assert "wrong" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "key", "value", "said"),
    [
        ("dcim/devices", "site", "here", "devices: `site` is no object"),
        ("dcim/devices", "id", "7", "devices: an object without a number as its `id`"),
        ("dcim/sites", "region", [5], "sites: `region` is no object"),
        (
            "dcim/interfaces",
            "connected_endpoints",
            {"id": 1},
            "interfaces: `connected_endpoints` is no list of objects",
        ),
        ("dcim/interfaces", "connected_endpoints", [{"name": "eth0"}], "interfaces: an object without a number"),
        ("dcim/interfaces", "cable", 5, "interfaces: `cable` is no object"),
        ("dcim/interfaces", "link_peers", [{"id": 1, "circuit": "x"}], "interfaces: `circuit` is no object"),
        ("dcim/devices", "url", 5, "AttributeError"),
    ],
)
def test_an_answer_of_another_shape_is_said(
    kind: str, key: str, value: object, said: str, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ANSWERS, kind, [{**ANSWERS[kind][0], key: value}, *ANSWERS[kind][1:]])
    with pytest.raises(Missing, match=f"does not answer as NetBox does .{said}"):
        imported(f"netbox:{server}")


def test_what_is_missing_is_said(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Missing, match=r"http://127\.0\.0\.1:1 does not answer as NetBox does"):
        imported("netbox:http://127.0.0.1:1")
    with pytest.raises(Problems, match=r"'example\.net' is no address of a server"):
        imported("netbox:example.net")
    with pytest.raises(Problems, match=r"'http://\[::1' is no address of a server"):
        imported("netbox:http://[::1")
    with pytest.raises(Problems, match="`limit` pages through answers"):
        imported(f"netbox:{server}?limit=5")
    with pytest.raises(Problems, match=r"the server refuses: 404 Not Found \(/other/api/dcim/sites/\)"):
        imported(f"netbox:{server}/other")
    monkeypatch.delenv("NETBOX_TOKEN")
    with pytest.raises(Missing, match="set NETBOX_TOKEN"):
        imported(f"netbox:{server}")
    monkeypatch.setitem(sys.modules, "pynetbox", None)
    with pytest.raises(Missing, match="-m pip install pynetbox"):
        imported(f"netbox:{server}")
