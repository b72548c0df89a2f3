"""The reference of the network file, in Markdown, made from the table of keys."""

from __future__ import annotations

from collections.abc import Iterator

from trunkline.model.keys.events import EVENT, GROW
from trunkline.model.keys.file import NETWORK, RESERVED
from trunkline.model.schema import Either, Listing, Named, Record, Scalar, Type

_HEAD = """# The network file

One YAML file says what the network is meant to be. Every key is below; `trunkline check NET` reads a file and names
every fault at its line and column, and `trunkline schema` prints a JSON Schema for editors. This page is generated from
the table in `src/trunkline/model/keys/` (`trunkline.model.reference`).

- **Values.** Bandwidths `400G`, `1.5 Tbps`; times `8.5ms`, `120us`; lengths `1100 km`; shares `30%`, `0.3`. Decimals
  are exact; what is no whole bit/s or microsecond is rounded half up. `yes`, `no`, `on`, `off`, `true`, `false` are
  read as such only where a key is a boolean: elsewhere they are text, like every other word.
- **Names** hold letters, digits, `.`, `_` and `-`. Among routers, sites, regions, circuits, peers and shared risks one
  name means one thing, because all of these can be cut by name. Likewise among the ends of demands, except that a peer
  and a prefix group may share a name.
- **Lists of words** may be written as one text with spaces or semicolons between: `risks: duct7 duct9`,
  which also fits a CSV cell.
- **Lists from files.** `circuits`, `lsps`, `demands` and `prefix_groups` may be the name of a CSV or JSON file, and an
  item `{file: more.csv}` of the first three adds the rows of a file. The first row of a CSV names the keys (`metric.ab`
  for `ab` inside `metric`; `name` for the name of a prefix group), an empty cell leaves its key out, and a line that
  starts with `#` is a comment. File names are relative to the file that holds them.
- **Include.** Maps merge entry by entry, lists append, and anything given in two files is an error that names both.
- **Defaults** complete what an entry leaves out. Of keys that exclude each other (`latency` and `length`), one that is
  given shuts out the default of the other.
- **Anchors** (`&x`), aliases (`*x`) and merge keys (`<<: *x`) work; other tags than `!!str` do not.
- **Addresses** that are not given follow from the router's name alone; two that collide are an error with the
  line to add.
"""


def reference_markdown() -> str:
    """Return the page: every record of the file, each key with its type, default and meaning."""
    parts = [_HEAD, *(_section(record) for record in (*_records(NETWORK), EVENT, GROW))]
    reserved = ", ".join(f"`{key}`" for key in RESERVED)
    parts.append(f"## Reserved\n\n{reserved} belong to later versions and are refused by this one.\n")
    return "\n".join(parts)


def _records(kind: Type) -> Iterator[Record]:
    """Every record below a type, each name once, in order of first use; below `defaults` none is new."""
    seen: dict[str, Record] = {}
    todo: list[Type] = [kind]
    while todo:
        match todo.pop(0):
            case Record() as record:
                if record.keys and record.name not in seen:
                    seen[record.name] = record
                    inner = [] if record.name == "defaults" else [key.type for key in record.keys]
                    todo = inner + todo if record.name != "network" else inner
            case Listing(of=of) | Named(of=of):
                todo.insert(0, of)
            case Either(options=options):
                todo = [*options, *todo]
            case Scalar():
                pass
    yield from seen.values()


def _section(record: Record) -> str:
    title = "The file" if record.name == "network" else "Events file" if record.name == "event" else record.name
    lines = [f"## {title[0].upper()}{title[1:]}", ""]
    if record.name == "event":
        lines += [
            "A list (or `events:` and a list) of these, or `reoptimize`: every head-end looks for better paths.",
            "",
        ]
    lines += ["| key | value | default | meaning |", "|---|---|---|---|"]
    for key in record.keys:
        default = "**required**" if key.required else key.default
        lines.append(f"| `{key.name}` | {_type(key.type)} | {default} | {key.doc} |")
    for group in record.exclusive:
        lines += ["", "One of " + ", ".join(f"`{key}`" for key in group) + "."]
    return "\n".join(lines) + "\n"


def _type(kind: Type) -> str:
    match kind:
        case Scalar():
            return kind.expected
        case Listing(of=of):
            return f"list of: {_type(of)}"
        case Named(of=of):
            return f"map: name to {_type(of)}"
        case Record(name=name):
            return f"map ([{name}](#{name.replace(' ', '-')}))" if kind.keys else "nothing"
        case Either(options=options):
            return " *or* ".join(_type(option) for option in options)
