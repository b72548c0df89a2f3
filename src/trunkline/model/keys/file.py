"""The whole network file, key by key."""

from __future__ import annotations

from dataclasses import replace

from trunkline.model.keys.failures import FAILURES
from trunkline.model.keys.prices import PRICES
from trunkline.model.keys.protection import PROTECTION
from trunkline.model.keys.routing import DATACENTER, GROUP, IBGP, IGP, PEER, PORT, TE
from trunkline.model.keys.topology import CIRCUIT, ROUTER_RECORD, SITE, WIRING
from trunkline.model.keys.traffic import DEMAND, GRAVITY_DEMANDS, LSP, MATRIX_DEMANDS, MESH, OBJECTIVE, TRAFFIC_CLASS
from trunkline.model.keys.words import one_or
from trunkline.model.schema import FACTOR, FILE, LINK, NAME, PREFIX, Key, Listing, Named, Record, choice

RESERVED = ("lab", "clusters", "services")
"""Keys of later versions."""

DEFAULTS = Record(
    "defaults",
    "values for keys that entries leave out",
    (
        Key("sites", SITE.partial(), "For every site.", "none"),
        Key(
            "wiring",
            replace(WIRING, defaults=""),
            "For every site without a `wiring` of its own.",
            "none",
        ),
        Key("routers", ROUTER_RECORD.partial(), "For every entry of `routers`.", "none"),
        Key("circuits", CIRCUIT.partial(), "For every circuit.", "none"),
        Key("ports", PORT.partial(), "For every peer's ports.", "none"),
        Key("lsps", LSP.partial(), "For every LSP and mesh.", "none"),
        Key("demands", DEMAND.partial(), "For every demand, gravity model and matrix.", "none"),
    ),
)
REGION = Record("region", "nothing more", ())
NETWORK = Record(
    "network",
    "the network's keys",
    (
        Key("trunkline", choice("1"), "The version of this format.", required=True),
        Key("name", NAME, "The network's name.", "none"),
        Key(
            "include",
            Listing(FILE),
            "More files, relative to this one: maps merge, lists append; "
            "an entry in two files is an error; `name` is the including file's.",
            "none",
        ),
        Key("defaults", DEFAULTS, "Values for keys that entries leave out.", "none"),
        Key("regions", Named(REGION, NAME, flat=True), "Regions: a list of names (or a map).", "none"),
        Key("sites", Named(SITE, NAME), "Places, by name.", "none"),
        Key("routers", Named(ROUTER_RECORD, NAME), "Routers, by name, beside those that sites make.", "none"),
        Key("circuits", Listing(CIRCUIT), "Point-to-point circuits, each one IS-IS adjacency.", "none"),
        Key("prefix_groups", Named(GROUP, NAME), "Prefixes that are announced together, by name.", "none"),
        Key("peers", Named(PEER, NAME), "Neighbouring ASes, by name.", "none"),
        Key("datacenters", Named(DATACENTER, NAME), "Data centres, by name.", "none"),
        Key(
            "addresses",
            Named(Listing(PREFIX, least=1), LINK),
            "Networks of circuits and peer ports: an IPv4 /30 or /31, an IPv6 /126 or /127, or both. `a`, or our side "
            "of a port, has the lower address.",
            "derived from their names",
        ),
        Key("igp", IGP, "IS-IS.", "all defaults"),
        Key("ibgp", IBGP, "iBGP.", "all defaults"),
        Key("te", TE, "Traffic engineering.", "all defaults"),
        Key("classes", Named(TRAFFIC_CLASS, NAME), "Traffic classes, by name.", "none"),
        Key("lsps", Listing(one_or(MESH, LSP)), "RSVP-TE LSPs, one by one or as meshes.", "none"),
        Key("demands", Listing(one_or(GRAVITY_DEMANDS, MATRIX_DEMANDS, DEMAND)), "Traffic.", "none"),
        Key("scale", FACTOR, "What every demand's rate is multiplied by, such as 10 or 140%.", "1"),
        Key("objectives", Listing(OBJECTIVE), "Bounds that the network must keep, one measure each.", "none"),
        Key("protection", PROTECTION, "Fast reroute.", "no bypasses"),
        Key("failures", FAILURES, "What fails together, and what is taken out for maintenance.", "none"),
        Key("prices", PRICES, "What can be bought, for `grow`.", "nothing"),
    ),
)
