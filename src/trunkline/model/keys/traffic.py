"""Keys of classes, LSPs, demands and objectives."""

from __future__ import annotations

from trunkline.model.keys.words import (
    ADMIN_GROUP,
    CLASS,
    MAX_PARALLEL,
    PRIORITY,
    REGION_NAME,
    ROUTER,
    SITE_NAME,
    SOURCE,
    TARGET,
    one_or,
)
from trunkline.model.nouns import Measure
from trunkline.model.schema import (
    AVAILABILITY,
    BOOL,
    FILE,
    HOP,
    LEVEL,
    LSP_RATE,
    NAME,
    RATE,
    SHARE,
    TIME,
    Key,
    Listing,
    Named,
    Record,
    Type,
    choice,
    decimal,
    integer,
    ref,
)

PRIORITIES = Record(
    "priorities",
    "setup and hold priority",
    (Key("setup", PRIORITY, "Setup priority.", required=True), Key("hold", PRIORITY, "Hold priority.", required=True)),
)
TRAFFIC_CLASS = Record(
    "class",
    "a class's keys",
    (
        Key("dscp", integer(0, 63), "DSCP (RFC 2474).", "0"),
        Key("tc", integer(0, 7), "MPLS traffic class (RFC 5462); the higher strict queue is served first.", "0"),
        Key(
            "queue",
            one_or(
                choice("strict"),
                Record("queue", "a queue's weight", (Key("weight", integer(1, 10**6), "Its weight.", required=True),)),
            ),
            "`strict`, or `{weight: n}` among the weighted.",
            "{weight: 1}",
        ),
        Key(
            "lsp_priority",
            one_or(PRIORITY, PRIORITIES),
            "Of its LSPs (RFC 3209 4.7.1): 0 is best; hold may not be worse than setup.",
            "7",
        ),
        Key(
            "fallback",
            Listing(ref("class", also=("drop",))),
            "Classes whose LSPs it rides when its own are down; after them the IGP, or `drop`.",
            "the IGP",
        ),
    ),
)
_LSP_KEYS = (
    Key("class", CLASS, "The class that rides it.", required=True),
    Key("setup", PRIORITY, "Setup priority.", "the class's"),
    Key("hold", PRIORITY, "Hold priority.", "the class's"),
    Key(
        "bandwidth",
        one_or(choice("demand"), LSP_RATE),
        "What it reserves; `demand`: what its class's demands aim at its tail.",
        "demand",
    ),
    Key("include_any", Listing(ADMIN_GROUP), "Only circuits with one of these admin groups.", "none"),
    Key("include_all", Listing(ADMIN_GROUP), "Only circuits with all of these.", "none"),
    Key("exclude", Listing(ADMIN_GROUP), "Only circuits with none of these.", "none"),
    Key("hop_limit", integer(1, 255), "Most hops of a path.", "none"),
    Key(
        "paths",
        Listing(one_or(choice("dynamic"), Listing(HOP, least=1)), least=1),
        "Path options in order: `dynamic`, or a list of routers and circuits (`loose:NAME` for a loose hop).",
        "[dynamic]",
    ),
    Key(
        "standby",
        choice("none", "unreserved", "reserved"),
        "A second path that shares no circuit with the first, signalled in advance: without bandwidth, or with it.",
        "none",
    ),
)
LSP = Record(
    "lsp",
    "an LSP's keys",
    (
        Key("name", NAME, "Its name at its head.", required=True, own=True),
        Key("from", ROUTER, "Head.", required=True, own=True),
        Key("to", ROUTER, "Tail.", required=True, own=True),
        *_LSP_KEYS,
    ),
    defaults="lsps",
)
SELECTION = Record(
    "selection",
    "role, region, site: all that are given must fit",
    (
        Key("role", Listing(choice("dr", "bb", "pr"), least=1), "Roles.", "any"),
        Key("region", Listing(REGION_NAME, least=1), "Regions.", "any"),
        Key("site", Listing(SITE_NAME, least=1), "Sites.", "any"),
    ),
)
SELECTOR = one_or(
    ref("router", also=("all",)), SELECTION, Listing(one_or(ref("router", also=("all",)), SELECTION), least=1)
)
MESH = Record(
    "lsp mesh",
    "a mesh of LSPs",
    (
        Key(
            "mesh",
            Record(
                "mesh",
                "a mesh's ends",
                (
                    Key(
                        "from",
                        SELECTOR,
                        "Heads: `all`, routers' names, `{role, region, site}`, or a list of these.",
                        required=True,
                    ),
                    Key("to", SELECTOR, "Tails likewise.", "the heads"),
                    Key("per_pair", integer(1, MAX_PARALLEL), "LSPs from each head to each tail.", "1"),
                ),
            ),
            "Makes an LSP `NAME.TAIL.k` at each head for each tail.",
            required=True,
            own=True,
        ),
        Key("name", NAME, "What the names begin with.", "the class", own=True),
        *_LSP_KEYS,
    ),
    mark="mesh",
    defaults="lsps",
)
_DEMAND_KEYS = (
    Key("class", CLASS, "Its class.", required=True),
    Key("v6", SHARE, "IPv6's part of it.", "0%"),
)
DEMAND = Record(
    "demand",
    "a demand's keys",
    (
        Key("name", NAME, "Its name.", "`CLASS.FROM.TO`", own=True),
        Key("from", SOURCE, "Where it starts.", required=True, own=True),
        Key("to", TARGET, "Where it goes.", required=True, own=True),
        *_DEMAND_KEYS,
        Key("rate", RATE, "Its rate.", required=True),
        Key("largest_flow", RATE, "The largest single flow in it.", "unknown"),
    ),
    defaults="demands",
)
GRAVITY = Record(
    "gravity",
    "a gravity model's keys",
    (
        Key("total", RATE, "What all its demands sum to, exactly.", required=True),
        *_DEMAND_KEYS,
        Key("from", Listing(SOURCE, least=1), "Where they start.", required=True),
        Key("to", Listing(TARGET, least=1), "Where they go.", "the starts"),
        Key(
            "weights",
            Named(decimal(0, 10**9, "a weight"), ref("data centre", "router", "peer", "prefix group")),
            "Weight of an end; a demand is proportional to the product of its ends'.",
            "1 each",
        ),
    ),
    defaults="demands",
)
GRAVITY_DEMANDS = Record(
    "gravity demands",
    "`gravity`",
    (
        Key("gravity", GRAVITY, "Demands between every start and every other end.", required=True, own=True),
        Key("name", NAME, "What the names begin with, instead of the class.", "the class", own=True),
    ),
    mark="gravity",
)
MATRIX_DEMANDS = Record(
    "matrix demands",
    "`matrix`",
    (
        Key(
            "matrix",
            FILE,
            "A CSV file: a header `from,to,rate` and a demand a line; or a square table with the ends' names "
            "in its first row and column.",
            required=True,
            own=True,
        ),
        Key("name", NAME, "What the names begin with, instead of the class.", "the class", own=True),
        *_DEMAND_KEYS,
    ),
    mark="matrix",
    defaults="demands",
)
_MEASURES: tuple[tuple[Measure, Type, str], ...] = (
    (Measure.UTILISATION, LEVEL, "Largest load over capacity of any circuit, at most."),
    (Measure.LOSS, SHARE, "Share of the traffic that is not delivered, at most."),
    (Measure.LATENCY, TIME, "Largest one-way latency of a demand, at most."),
    (Measure.PLACED, SHARE, "Share of the LSPs placed at the bandwidth they want, at least."),
    (Measure.SHORTEST, SHARE, "Share of the LSPs on their shortest path, at least."),
    (Measure.CONFINED, BOOL, "Both confinement proofs hold (`true` is the only value)."),
    (Measure.COMMIT, LEVEL, "Largest load over commit of any peer port, at most."),
    (
        Measure.AVAILABILITY,
        AVAILABILITY,
        "Probability that a demand is served in full, at least, of every demand: `availability` judges it.",
    ),
)
OBJECTIVE = Record(
    "objective",
    "one measure, and optionally `class` and `name`",
    (
        *(Key(str(measure), kind, doc, own=True) for measure, kind, doc in _MEASURES),
        Key("class", CLASS, "The class it is about.", "all"),
        Key("name", NAME, "Its name.", "`MEASURE.CLASS` or `MEASURE`"),
    ),
    exclusive=(tuple(str(measure) for measure, _, _ in _MEASURES),),
)
