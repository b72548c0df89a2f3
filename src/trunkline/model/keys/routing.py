"""Keys of prefix groups, peers, data centres, IS-IS, iBGP and TE."""

from __future__ import annotations

from dataclasses import replace

from trunkline.model.keys.policy import COMMUNITIES, EXPORT_RULE, IMPORT_RULE, RULE
from trunkline.model.keys.words import (
    ASN,
    GROUP_NAME,
    MAX_PREFIXES,
    METRIC,
    REGION_NAME,
    ROUTER,
    SITE_NAME,
    UINT32,
    one_or,
)
from trunkline.model.schema import (
    BOOL,
    FILE,
    NAME,
    PREFIX,
    PREFIX4,
    PREFIX6,
    RATE,
    Key,
    Listing,
    Record,
    choice,
    integer,
)

DESIGNS = ("regional", "full-mesh", "route-reflector", "regional-rr", "sessions")

PREFIX_COUNTS = (
    Key(
        "v4",
        one_or(integer(0, MAX_PREFIXES), Listing(PREFIX4), FILE),
        "IPv4 prefixes: how many, a list, or a file with one a line.",
        "0",
    ),
    Key("v6", one_or(integer(0, MAX_PREFIXES), Listing(PREFIX6), FILE), "IPv6 prefixes likewise.", "0"),
)
GROUP = Record("prefix group", "IPv4 and IPv6 prefixes", PREFIX_COUNTS)

_PORT_KEYS = (
    Key("port", RATE, "Capacity of the port.", "required here, at the peer or in `defaults.ports`"),
    Key("commit", RATE, "The rate paid for, at most the capacity.", "none"),
    Key("local_pref", UINT32, "Local preference of what is heard here.", "by the peer's kind"),
    Key("med", UINT32, "MED set on what is heard here (over what the peer announces).", "as announced"),
    Key("prepend_out", integer(0, 20), "How often our AS is prepended in what the peer hears.", "0"),
    Key("med_out", UINT32, "MED of what the peer hears.", "none"),
    Key("announce_out", Listing(REGION_NAME), "Regions whose data centres are announced here.", "all"),
    Key("weight", integer(0, 10**6), "Share of inbound traffic among ports that tie.", "1"),
    Key("password", NAME, "The name of the session's TCP-MD5 secret (RFC 2385).", "none"),
)
PORT = Record(
    "port",
    "a port's keys",
    (Key("router", ROUTER, "Where it is.", required=True, own=True), *_PORT_KEYS),
    defaults="",
)
ANNOUNCEMENT = Record(
    "announcement",
    "an announcement's keys",
    (
        Key("group", GROUP_NAME, "The prefix group.", required=True),
        Key("path", Listing(ASN, least=1), "AS path, the peer's own AS first.", "the peer's AS"),
        Key("med", UINT32, "MED.", "none"),
        Key("origin", choice("igp", "egp", "incomplete"), "Origin (RFC 4271 5.1.1).", "igp"),
        Key("at", Listing(ROUTER, least=1), "Routers of the peer's ports where it is announced.", "all of them"),
        replace(COMMUNITIES, doc="Communities it carries.", default="none"),
    ),
)
PEER = Record(
    "peer",
    "a peer's keys",
    (
        Key("kind", choice("transit", "peering", "customer"), "Regional policy decides by it.", required=True),
        Key("asn", ASN, "Its AS number.", required=True),
        Key(
            "at",
            Listing(one_or(ROUTER, PORT), least=1),
            "Its ports: a router's name, or a map. A port is named `PEER@ROUTER`, then `PEER@ROUTER#2`.",
            required=True,
        ),
        Key(
            "announces",
            Listing(one_or(GROUP_NAME, ANNOUNCEMENT)),
            "What it announces: a group's name, or a map.",
            "nothing",
        ),
        Key(
            "import",
            Listing(IMPORT_RULE),
            "Rules on what it announces, in order; the first to say `accept` ends.",
            "none",
        ),
        Key("export", Listing(EXPORT_RULE), "Rules on what it hears of us, likewise.", "none"),
        *(replace(key, doc=f"{key.doc} For all its ports.") for key in _PORT_KEYS),
    ),
    defaults="ports",
)
DATACENTER = Record(
    "data centre",
    "a data centre's keys",
    (
        Key("site", SITE_NAME, "Where it is.", required=True),
        Key("attach", Listing(ROUTER, least=1), "The routers that announce it.", "the DRs of its site"),
        Key(
            "prefixes",
            one_or(
                Record("prefixes", "IPv4 and IPv6 prefixes", tuple(replace(k, default="1") for k in PREFIX_COUNTS)),
                Listing(PREFIX, least=1),
            ),
            "Its prefixes, by family or as one list; they make a prefix group of its name.",
            "one of each family",
        ),
    ),
)
IGP = Record(
    "igp",
    "IS-IS settings",
    (
        Key("topology", choice("single", "multi"), "One topology for both families, or one each (RFC 5120).", "single"),
        Key(
            "metric_rule",
            one_or(choice("latency", "capacity"), METRIC),
            "`latency`: one per 10 us, rounded half up, at least 1. `capacity`: 10T over the capacity, at least 1. "
            "Or one metric for all.",
            "latency",
        ),
        Key("authentication", NAME, "The name of the secret that signs IS-IS packets (RFC 5304).", "none"),
    ),
)
_PATHS = one_or(choice("none", "all", "per-as"), integer(2, 64))
ADD_PATH = Record(
    "add_path",
    "`none`, `all`, `per-as`, how many, or a map of them by who listens",
    (
        Key("to_clients", _PATHS, "What a reflector sends its clients.", "none"),
        Key("to_reflectors", _PATHS, "What a client sends its reflectors.", "none"),
        Key("to_peers", _PATHS, "What goes between all others.", "none"),
    ),
)
SESSION = Record(
    "session",
    "a session's keys",
    (
        Key("a", ROUTER, "One end.", required=True),
        Key("b", ROUTER, "The other end.", required=True),
        Key("client", ROUTER, "The end that is the other's client (RFC 4456), if one is.", "none"),
    ),
)
IBGP = Record(
    "ibgp",
    "iBGP settings",
    (
        Key(
            "design",
            choice(*DESIGNS),
            "`regional`: a full mesh whose transit routes stay in their region. `full-mesh`: without that. "
            "`route-reflector`: clients and reflectors, the latter meshed. `regional-rr`: a mesh in each region, "
            "reflectors between them, transit routes stay. `sessions`: those listed in `sessions`.",
            "regional",
        ),
        Key("confine", BOOL, "Whether transit routes stay in the region where they entered.", "as the design has it"),
        Key(
            "reflectors",
            Listing(ROUTER, least=1),
            "The reflectors. Their clients are the other routers of their regions, and all those of regions without.",
            "two of each region: its first BBs by name, else its first routers",
        ),
        Key(
            "shared_cluster",
            BOOL,
            "Whether a region's reflectors share one CLUSTER_ID (RFC 4456 7).",
            "false: own ones",
        ),
        Key(
            "add_path",
            one_or(*_PATHS.options, ADD_PATH),
            "How many paths a session carries (RFC 7911): `none` but the best, `all`, the best `per-as` (each "
            "neighbour AS), or the N best.",
            "none",
        ),
        Key(
            "best_external",
            BOOL,
            "Whether a router whose best path may not be told tells the best that may (draft-ietf-idr-best-external).",
            "false",
        ),
        Key("optimal", BOOL, "Whether reflectors choose by each client's own IGP metrics (RFC 9107).", "false"),
        Key(
            "client_to_client",
            BOOL,
            "Whether a reflector passes one client's routes to its other clients; needless where clients mesh.",
            "false in `regional-rr`, else true",
        ),
        Key("sessions", Listing(SESSION), "Every iBGP session, where `design: sessions`.", "none"),
        Key("profile", choice("rfc", "frr"), "Whose decision process fills what the RFC leaves open.", "rfc"),
        Key(
            "policy",
            Listing(RULE),
            "Rules on what crosses regions; the first to say `cross` ends. Then all but transit routes cross.",
            "none",
        ),
        Key(
            "fallback_default",
            BOOL,
            "Peering routers with a live transit route originate a default that crosses regions.",
            "false",
        ),
        Key("multipath", integer(1, 256), "Most exits that share the traffic.", "8"),
        Key("as_path_relax", BOOL, "Whether multipath may mix AS paths of one length.", "false"),
        Key("asn", ASN, "Our own AS number.", "64512, of the private ones (RFC 6996)"),
    ),
)
TE = Record(
    "te",
    "traffic-engineering settings",
    (
        Key("v6_over_lsp", choice("off", "6pe", "shortcuts"), "How IPv6 takes to LSPs.", "off"),
        Key("parallel", choice("equal", "bandwidth"), "How traffic splits over parallel LSPs.", "bandwidth"),
    ),
)
