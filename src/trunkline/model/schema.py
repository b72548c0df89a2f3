"""The schema table of the network file: every key, its type, unit, range, default and meaning, once.

The validator (`typed`), the reference (docs/file.md) and the JSON Schema are all read from `NETWORK`.
"""

from __future__ import annotations

from trunkline.model.shape import MAX_RATE, Either, Key, ListOf, MapOf, Record, Scalar

NAME = Scalar("name")
NAMES = ListOf(NAME)
TEXT = Scalar("text")
FILE = Scalar("file")
BOOL = Scalar("bool")
RATE = Scalar("rate", 1, MAX_RATE)
TIME = Scalar("time", 0, 60_000_000)
LENGTH = Scalar("length", 0, 60_000_000)
SHARE = Scalar("share", 0, 1_000_000)
METRIC = Scalar("int", 1, 2**24 - 2)
ASN = Scalar("int", 1, 2**32 - 1)
U32 = Scalar("int", 0, 2**32 - 1)
PRIORITY = Scalar("int", 0, 7)
COUNT = Scalar("int", 1, 1000)
FAMILY = Scalar("choice", choices=("v4", "v6"))
ROLE = Scalar("choice", choices=("dr", "bb", "pr"))
KIND = Scalar("choice", choices=("transit", "peering", "customer"))
FACTOR = Scalar("share", 1, 10**12)
RULES = ("latency", "capacity")

METRICS = Record("a metric per direction", (Key("ab", METRIC, "from `a` to `b`"), Key("ba", METRIC, "from `b` to `a`")))
_METRIC = Either((METRIC, METRICS))

_LINE = (
    Key("capacity", RATE, "what the circuit (of a bundle: all of it) carries each way", required=True),
    Key("latency", TIME, "one-way delay; or give `length`", "from `length`; 10us where both ends are in one site"),
    Key("length", LENGTH, "fibre length, 4.9 us a km one way"),
    Key("metric", _METRIC, "IS-IS metric, one or one per direction", "by `igp.metric_rule`"),
    Key("te_metric", _METRIC, "the metric that LSPs minimise", "`metric`"),
    Key(
        "reservable",
        Either((Scalar("part"), Scalar("rate", 0, MAX_RATE))),
        "what RSVP may reserve: `90%` or a rate",
        "all",
    ),
    Key("risks", NAMES, "shared risks (ducts, cables): what names one fails together"),
    Key("groups", NAMES, "admin groups (RFC 3209 4.7.4), at most 32 different ones in a network"),
    Key("members", COUNT, "makes one bundle of so many equal links", "1"),
    Key("min_links", COUNT, "fewer links up than this, and the bundle is down", "1"),
    Key("families", ListOf(FAMILY), "address families routed over it", "both"),
)
_OPTIONAL_LINE = tuple(Key(k.name, k.shape, k.doc, k.default) for k in _LINE)
_CIRCUIT = (
    Key("name", NAME, "its name", "`a--b`, ends in order of name"),
    Key("a", NAME, "the router at one end", required=True),
    Key("b", NAME, "the router at the other end", required=True),
    *_LINE,
    Key("count", COUNT, "makes so many parallel circuits, `name-1`, `name-2`, ...", "1"),
)
CIRCUIT = Record("a circuit", _CIRCUIT)
WIRING = Record("a site's wiring", _LINE)

SITE = Record(
    "a site",
    (
        Key("region", NAME, "the region it is in", required=True),
        Key("at", ListOf(Scalar("degrees"), alone=False), "latitude and longitude, degrees"),
        Key(
            "routers",
            Record(
                "numbers of routers",
                tuple(
                    Key(role, Scalar("int", 0, 1000), f"how many, `SITE-{role}1` on", "0")
                    for role in ("dr", "bb", "pr")
                ),
            ),
            "routers of the site by role: `{dr: 2, bb: 2, pr: 1}`",
        ),
        Key(
            "wiring",
            Either((BOOL, Record("a site's wiring", _OPTIONAL_LINE))),
            "joins every DR and PR of the site to each of its BBs, and its BBs to each other; `no` leaves it out",
            "`defaults.wiring`",
        ),
    ),
)
ROUTER = Record(
    "a router",
    (
        Key("site", NAME, "where it is", required=True),
        Key("role", ROLE, "data-centre, backbone or peering router", required=True),
        Key("overload", BOOL, "IS-IS overload bit: reachable, no transit (ISO 10589 7.2.8)", "no"),
        Key("loopback", ListOf(Scalar("address")), "pins its addresses: an IPv4 one, an IPv6 one, or both", "derived"),
    ),
)
_PREFIXES = Either((Scalar("int", 0, 10_000_000), FILE, ListOf(Scalar("prefix"), alone=False)))
PREFIXES = Record(
    "a prefix group",
    (
        Key("v4", _PREFIXES, "how many IPv4 prefixes; or the list; or a file with one a line", "0"),
        Key("v6", _PREFIXES, "the same for IPv6", "0"),
    ),
)
_PORT = (
    Key("port", RATE, "what the port carries"),
    Key("commit", RATE, "the rate paid for"),
    Key("local_pref", U32, "local preference of what is heard here", "by kind"),
    Key("med", U32, "MED heard here", "the announcement's"),
    Key("prepend_out", Scalar("int", 0, 32), "how often our AS is prepended to what we announce here", "0"),
    Key("med_out", U32, "MED that we announce here"),
    Key("announce_out", NAMES, "regions whose data centres we announce here", "all"),
    Key("weight", Scalar("int", 1, 1_000_000), "share of inbound traffic among ports that tie", "1"),
)
PEER = Record(
    "a peer",
    (
        Key("kind", KIND, "what it is to us; regional policy decides by it", required=True),
        Key("asn", ASN, "its AS number", required=True),
        Key(
            "at",
            ListOf(Either((NAME, Record("a port", (Key("router", NAME, "the router", required=True), *_PORT))))),
            "its ports: routers, or maps with what differs there; a port is named `peer@router`, then `peer@router#2`",
            required=True,
        ),
        Key(
            "announces",
            ListOf(
                Either(
                    (
                        NAME,
                        Record(
                            "an announcement",
                            (
                                Key("group", NAME, "the prefix group", required=True),
                                Key("path", ListOf(ASN), "AS path, its own AS first", "[asn]"),
                                Key("med", U32, "MED"),
                                Key("origin", Scalar("choice", choices=("igp", "egp", "incomplete")), "ORIGIN", "igp"),
                                Key("at", NAMES, "routers whose ports hear it", "all"),
                            ),
                        ),
                    )
                )
            ),
            "prefix groups that it announces",
            "none",
        ),
        *_PORT,
    ),
)
DATACENTER = Record(
    "a data centre",
    (
        Key("site", NAME, "where it is", required=True),
        Key("attach", NAMES, "the routers that originate its prefixes", "the site's DRs"),
        Key(
            "prefixes",
            Either((PREFIXES, ListOf(Scalar("prefix"), alone=False))),
            "its prefixes, as a prefix group of the same name",
            "{v4: 1, v6: 1}",
        ),
    ),
)
IGP = Record(
    "the IGP",
    (
        Key("topology", Scalar("choice", choices=("single", "multi")), "one for both families, or RFC 5120", "single"),
        Key(
            "metric_rule",
            Either((METRIC, Scalar("choice", choices=RULES))),
            "metrics left out: `latency` (one per 10 us, at least 1), `capacity` (10T over it, at least 1), a number",
            "latency",
        ),
    ),
)
_POLICY = Record(
    "a policy rule",
    (
        Key("cross", BOOL, "whether routes that match cross from one region to another", required=True),
        Key("kind", Scalar("choice", choices=(*KIND.choices, "datacenter", "default")), "only this kind", "any"),
        Key("from", NAME, "only from this region", "any"),
        Key("to", NAME, "only to this region", "any"),
        Key("peer", NAME, "only heard from this peer", "any"),
        Key("group", NAME, "only this prefix group", "any"),
        Key("side", Scalar("choice", choices=("export", "import", "both")), "where the rule acts", "both"),
    ),
)
IBGP = Record(
    "iBGP",
    (
        Key("design", Scalar("choice", choices=("regional",)), "a full mesh under regional policy", "regional"),
        Key("profile", Scalar("choice", choices=("rfc", "frr")), "what fixes the RFC's open points", "rfc"),
        Key("policy", ListOf(_POLICY), "rules, the first that matches decides", "transit stays in its region"),
        Key("fallback_default", BOOL, "a PR with live transit originates 0/0 and ::/0, across regions too", "no"),
        Key("multipath", Scalar("int", 1, 256), "how many equal paths are used", "8"),
        Key("as_path_relax", BOOL, "whether equal paths may differ in AS path", "no"),
    ),
)
TE = Record(
    "traffic engineering",
    (
        Key("v6_over_lsp", Scalar("choice", choices=("off", "6pe", "shortcuts")), "whether IPv6 rides LSPs", "off"),
        Key("parallel", Scalar("choice", choices=("equal", "bandwidth")), "the split over parallel LSPs", "bandwidth"),
    ),
)
_PRIORITIES = Record(
    "priorities",
    (Key("setup", PRIORITY, "0 best, 7 worst", required=True), Key("hold", PRIORITY, "at most setup", "`setup`")),
)
CLASS = Record(
    "a traffic class",
    (
        Key("dscp", Scalar("int", 0, 63), "marking in IP", "0"),
        Key("tc", PRIORITY, "marking in MPLS, traffic class bits (RFC 5462)", "0"),
        Key(
            "queue",
            Either(
                (
                    Scalar("choice", choices=("strict",)),
                    Record(
                        "a weighted queue", (Key("weight", Scalar("int", 1, 1_000_000), "its weight", required=True),)
                    ),
                )
            ),
            "`strict` is served first, higher tc first; else by weight",
            "{weight: 1}",
        ),
        Key("lsp_priority", Either((PRIORITY, _PRIORITIES)), "setup and hold priority of its LSPs (RFC 3209 4.7)", "7"),
        Key("fallback", NAMES, "classes whose LSPs it rides when its own are down; may end with `drop`", "the IGP"),
    ),
)
SELECTOR_MAP = Record(
    "a selection of routers",
    (
        Key("role", ListOf(ROLE), "routers of these roles", "any"),
        Key("region", NAMES, "in these regions", "any"),
        Key("site", NAMES, "at these sites", "any"),
    ),
)
SELECTOR = Either((NAME, ListOf(Either((NAME, SELECTOR_MAP)), alone=False), SELECTOR_MAP))
_LSP = (
    Key("class", NAME, "the class that rides it", required=True),
    Key("setup", PRIORITY, "setup priority", "the class's"),
    Key("hold", PRIORITY, "hold priority, numerically at most setup (RFC 3209 4.7)", "the class's"),
    Key(
        "bandwidth",
        Either((Scalar("choice", choices=("demand",)), Scalar("rate", 0, MAX_RATE))),
        "what it reserves: a rate, or `demand`, what its class aims at its tail",
        "demand",
    ),
    Key("include_any", NAMES, "only circuits with one of these admin groups"),
    Key("include_all", NAMES, "only circuits with all of these"),
    Key("exclude", NAMES, "no circuit with any of these"),
    Key("hop_limit", Scalar("int", 1, 255), "at most so many circuits"),
    Key(
        "paths",
        ListOf(Either((Scalar("choice", choices=("dynamic",)), ListOf(TEXT, alone=False)))),
        "path options in order: `dynamic`, or a list of hops: routers or circuits, `loose:NAME` for a loose one",
        "[dynamic]",
    ),
)
_MESH = Record(
    "a mesh",
    (
        Key("from", SELECTOR, "head-ends: `all`, a router, a list, or `{role, region, site}`", required=True),
        Key("to", SELECTOR, "tails, likewise", required=True),
        Key("per_pair", Scalar("int", 1, 64), "parallel LSPs a pair", "1"),
    ),
)
LSP_MESH = Record(
    "a mesh of LSPs",
    (
        Key("mesh", _MESH, "one LSP per pair of routers", required=True),
        Key("name", NAME, "LSPs are named `NAME.TAIL.K` at each head", required=True),
        *_LSP,
    ),
    "mesh",
)
LSP = Record(
    "an LSP",
    (
        Key("name", NAME, "its name, unique at its head", required=True),
        Key("from", NAME, "head-end", required=True),
        Key("to", NAME, "tail", required=True),
        *_LSP,
    ),
)
_V6 = Key("v6", SHARE, "IPv6's share", "0%")
_CLASS = Key("class", NAME, "its class", required=True)
GRAVITY = Record(
    "gravity",
    (
        Key("total", RATE, "the sum of all", required=True),
        _CLASS,
        Key("from", NAMES, "sources", required=True),
        Key("to", NAMES, "targets", required=True),
        Key("weights", MapOf(Scalar("int", 0, 1_000_000)), "weights; a demand is as large as the product", "1 each"),
        _V6,
    ),
)
DEMAND_GRAVITY = Record(
    "demands by gravity", (Key("gravity", GRAVITY, "a total over all pairs", required=True),), "gravity"
)
_ENTRY = Record(
    "a matrix entry",
    (
        Key("from", NAME, "source", required=True),
        Key("to", NAME, "target", required=True),
        Key("rate", RATE, "how much", required=True),
    ),
)
DEMAND_MATRIX = Record(
    "a demand matrix",
    (
        Key(
            "matrix",
            Either((FILE, ListOf(_ENTRY, alone=False))),
            "a CSV file with the columns from, to, rate; or a list",
            required=True,
        ),
        _CLASS,
        _V6,
    ),
    "matrix",
)
DEMAND = Record(
    "a demand",
    (
        Key("name", NAME, "its name", "`CLASS.FROM.TO`"),
        Key("from", NAME, "a data centre, router, peer or prefix group", required=True),
        Key("to", NAME, "a data centre, router or prefix group", required=True),
        _CLASS,
        Key("rate", RATE, "how much", required=True),
        _V6,
        Key("largest_flow", RATE, "the largest single flow in it", "unknown"),
    ),
)
_SCOPE = (Key("class", NAME, "only this class", "all together"), Key("name", NAME, "its name", "`MEASURE.CLASS`"))
OBJECTIVE = Record(
    "an objective",
    (
        Key("utilisation", Scalar("share", 0, 10_000_000), "at most, load over capacity of any circuit"),
        Key("loss", SHARE, "at most, the share that is not delivered"),
        Key("latency", TIME, "at most, one way, of any demand"),
        Key("placed", SHARE, "at least, LSPs placed at the bandwidth they want"),
        Key("shortest", SHARE, "at least, LSPs on their shortest path"),
        Key("confined", BOOL, "both confinement proofs hold"),
        Key("commit", Scalar("share", 0, 10_000_000), "at most, load over commit of any peer port"),
        *_SCOPE,
    ),
)
_DEFAULTS = Record(
    "defaults",
    (
        Key("wiring", WIRING, "how sites are wired that do not say it themselves"),
        Key("circuits", Record("defaults of circuits", _OPTIONAL_LINE), "for circuits"),
        Key("ports", Record("defaults of ports", _PORT), "for peers' ports"),
        Key(
            "demands", Record("defaults of demands", (Key("class", NAME, "class"), _V6, DEMAND.keys[-1])), "for demands"
        ),
        Key(
            "lsps", Record("defaults of LSPs", tuple(Key(k.name, k.shape, k.doc, k.default) for k in _LSP)), "for LSPs"
        ),
    ),
)
RESERVED = ("failures", "prices", "lab", "clusters", "services")
"""Keys of later versions of the format."""
NETWORK = Record(
    "a network",
    (
        Key("trunkline", Scalar("int", 1, 1), "the format's version", required=True),
        Key("name", TEXT, "the network's name"),
        Key("include", ListOf(FILE), "files to read first, relative to this one; maps merge, lists append"),
        Key("scale", FACTOR, "multiplies every demand's rate", "1"),
        Key("defaults", _DEFAULTS, "what entries leave out"),
        Key("regions", Either((ListOf(NAME), MapOf(Record("a region", ())))), "regions, a list or a map"),
        Key("sites", MapOf(SITE), "places"),
        Key("routers", MapOf(ROUTER), "routers one by one, beside those that sites count"),
        Key("circuits", ListOf(CIRCUIT), "circuits; or a CSV or JSON file of them; `{file: F}` in the list does too"),
        Key("prefix_groups", MapOf(PREFIXES), "prefixes that are announced together; or a CSV or JSON file"),
        Key("peers", MapOf(PEER), "neighbouring ASes"),
        Key("datacenters", MapOf(DATACENTER), "data centres"),
        Key("igp", IGP, "IS-IS"),
        Key("ibgp", IBGP, "iBGP"),
        Key("classes", MapOf(CLASS), "traffic classes"),
        Key("te", TE, "traffic engineering"),
        Key("lsps", ListOf(Either((LSP_MESH, LSP))), "LSPs and meshes; or a CSV or JSON file of LSPs"),
        Key("demands", ListOf(Either((DEMAND_GRAVITY, DEMAND_MATRIX, DEMAND))), "demands; or a CSV or JSON file"),
        Key("objectives", ListOf(OBJECTIVE), "what must hold"),
    ),
)

_GROW = Record(
    "growth",
    (
        Key("factor", FACTOR, "demands are multiplied by it: `1.4` or `140%`", required=True),
        Key("class", NAME, "only this class", "all"),
        Key("from", NAME, "only from here", "all"),
        Key("to", NAME, "only to here", "all"),
    ),
)
_REOPTIMIZE = Scalar("choice", choices=("reoptimize",))
_EVENT = Either(
    (
        _REOPTIMIZE,
        *(
            Record("an event", (Key(verb, shape, doc, required=True),), verb)
            for verb, shape, doc in (
                ("cut", NAMES, "circuits, routers, ports, peers, sites, regions or risks that fail together"),
                ("restore", NAMES, "what comes back, of what is down"),
                ("grow", _GROW, "demands grow"),
                ("overload", NAMES, "routers that set the overload bit"),
            )
        ),
    )
)
EVENTS = Record(
    "an events file", (Key("events", ListOf(_EVENT, alone=False), "what happens, in order", required=True),)
)
