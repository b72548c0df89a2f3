"""Keys of sites, routers and circuits."""

from __future__ import annotations

from trunkline.model.keys.words import MAX_PARALLEL, METRIC, REGION_NAME, ROUTER, SITE_NAME, one_or
from trunkline.model.schema import (
    ADDRESS,
    BOOL,
    LENGTH,
    LINK,
    NAME,
    PERCENT,
    RATE,
    TIME,
    Key,
    Listing,
    Named,
    Record,
    choice,
    decimal,
    integer,
)

METRICS = one_or(
    METRIC,
    Record(
        "metrics",
        "one metric per direction",
        (
            Key("ab", METRIC, "From `a` to `b`.", required=True),
            Key("ba", METRIC, "From `b` to `a`.", required=True),
        ),
    ),
)

_CIRCUIT_KEYS = (
    Key("capacity", RATE, "Bandwidth in each direction; of a bundle, all members together.", required=True),
    Key("latency", TIME, "One-way latency.", "10us inside one site; otherwise `latency` or `length` is required"),
    Key("length", LENGTH, "Length of the fibre, at 4.9 us a km.", "see `latency`"),
    Key("metric", METRICS, "IS-IS metric (RFC 5305).", "by `igp.metric_rule`"),
    Key("te_metric", METRICS, "TE metric that CSPF minimises (RFC 5305 3.7).", "the metric"),
    Key("reservable", one_or(PERCENT, RATE), "What RSVP-TE may reserve, at most the capacity.", "the capacity"),
    Key("risks", Listing(NAME), "Shared risks (conduits, ducts, cables): what fails together.", "none"),
    Key("groups", Listing(NAME), "Admin groups (affinities, RFC 3209 4.7.4); at most 32 in a network.", "none"),
    Key("members", integer(1, MAX_PARALLEL), "Links of the bundle; a flow cannot exceed one of them.", "1"),
    Key("min_links", integer(1, MAX_PARALLEL), "The bundle is down with fewer links than these.", "1"),
    Key("families", Listing(choice("v4", "v6"), least=1), "Address families that it carries.", "[v4, v6]"),
)
CIRCUIT = Record(
    "circuit",
    "a circuit's keys",
    (
        Key("name", NAME, "Its name.", "`a--b`, the ends sorted; repeats of a pair need a `name` or `count`", own=True),
        Key("a", ROUTER, "One end.", required=True, own=True),
        Key("b", ROUTER, "The other end.", required=True, own=True),
        *_CIRCUIT_KEYS,
        Key(
            "count",
            integer(1, MAX_PARALLEL),
            "Parallel circuits `NAME-1` to `NAME-count`, each of the capacity.",
            "one, named `NAME`",
        ),
    ),
    exclusive=(("latency", "length"), ("count", "members")),
    defaults="circuits",
)
WIRING = Record(
    "wiring",
    "circuit keys, for every DR and PR of the site to every BB and among its BBs",
    _CIRCUIT_KEYS,
    exclusive=(("latency", "length"),),
    defaults="wiring",
)
SITE = Record(
    "site",
    "a site's keys",
    (
        Key("region", REGION_NAME, "The region it is in.", required=True),
        Key("at", Listing(decimal(-180, 180, "degrees"), least=2), "Latitude and longitude, degrees.", "unknown"),
        Key(
            "routers",
            Record(
                "counts",
                "how many routers of each role",
                tuple(
                    Key(role, integer(0, 99), f"Makes `SITE-{role}1`, `SITE-{role}2` and so on.", "0")
                    for role in ("dr", "bb", "pr")
                ),
            ),
            "Routers by count; each is then like one in `routers`.",
            "none",
        ),
        Key(
            "wiring",
            one_or(choice("none"), WIRING),
            "Circuits inside the site: every DR and PR to every BB, and the BBs among each other.",
            "none",
        ),
    ),
    defaults="sites",
)
ROUTER_RECORD = Record(
    "router",
    "a router's keys",
    (
        Key("site", SITE_NAME, "The site it stands at.", required=True),
        Key("role", choice("dr", "bb", "pr"), "Data-centre, backbone or peering router.", required=True),
        Key("overload", BOOL, "The IS-IS overload bit: reachable, but no transit (ISO 10589 7.2.8).", "false"),
        Key(
            "loopback",
            Listing(ADDRESS, least=1),
            "Its IPv4 and IPv6 loopback; give one or both.",
            "derived from its name",
            own=True,
        ),
        Key(
            "cards",
            Named(Listing(LINK, least=1), NAME),
            "Line cards by name: circuits (whole bundles) and peer ports that fail with each. Cut as `ROUTER/CARD`.",
            "none",
            own=True,
        ),
    ),
    defaults="routers",
)
