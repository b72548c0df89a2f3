"""A syntax tree read by the schema: typed values that know their place, and every fault on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from trunkline.model.document import Faults, List, Map, Node, Spot, Text
from trunkline.model.problem import nearest
from trunkline.model.schema import Atom, Either, Listing, Named, Record, Refused, Scalar, Type, expected

A = TypeVar("A", bound=Atom)


@dataclass(frozen=True)
class Word:
    """A scalar that was read."""

    data: Atom
    spot: Spot


@dataclass(frozen=True)
class Items:
    """A list that was read; items that could not be read are left out."""

    items: tuple[Value, ...]
    spot: Spot


@dataclass(frozen=True)
class Table:
    """A map from names that was read, each with where its name stands."""

    rows: tuple[tuple[Word, Value], ...]
    spot: Spot


@dataclass(frozen=True)
class Entry:
    """A record that was read: values by key.  A key that could not be read is `broken` and has no value."""

    record: Record
    spot: Spot
    values: dict[str, Value]
    broken: frozenset[str] = frozenset()

    def at(self, key: str) -> Spot:
        """Where a key's value stands, or the entry itself where the key is left out."""
        return self.values[key].spot if key in self.values else self.spot

    def has(self, key: str) -> bool:
        """Whether a key was given, readable or not."""
        return key in self.values or key in self.broken

    def word(self, key: str, kind: type[A]) -> A | None:
        """The atom of a key; None where it is left out, broken or of another type."""
        value = self.values.get(key)
        return value.data if isinstance(value, Word) and isinstance(value.data, kind) else None

    def words(self, key: str) -> tuple[Word, ...]:
        """The words of a key that holds a list of them (or one)."""
        value = self.values.get(key)
        if isinstance(value, Word):
            return (value,)
        return tuple(i for i in value.items if isinstance(i, Word)) if isinstance(value, Items) else ()

    def strings(self, key: str) -> tuple[str, ...]:
        """The words of a key as text, in the order of the file."""
        return tuple(str(word.data) for word in self.words(key))

    def items(self, key: str) -> tuple[Value, ...]:
        """The items of a key that holds a list."""
        value = self.values.get(key)
        return value.items if isinstance(value, Items) else ()

    def entry(self, key: str) -> Entry | None:
        """The record of a key."""
        value = self.values.get(key)
        return value if isinstance(value, Entry) else None

    def entries(self, key: str) -> tuple[Entry, ...]:
        """The records of a key that holds a list of them."""
        return tuple(i for i in self.items(key) if isinstance(i, Entry))

    def rows(self, key: str) -> tuple[tuple[Word, Value], ...]:
        """The rows of a key that holds a map from names."""
        value = self.values.get(key)
        return value.rows if isinstance(value, Table) else ()


Value = Word | Items | Table | Entry


@dataclass(frozen=True)
class Mention:
    """A name that refers to something the file must define."""

    name: str
    type: Scalar
    spot: Spot


@dataclass
class Reader:
    """Reads nodes by their types, noting faults and every reference."""

    faults: Faults
    mentions: list[Mention] = field(default_factory=list)
    defaults: dict[str, Entry] = field(default_factory=dict)

    def read(self, node: Node, kind: Type, path: str) -> Value | None:
        """Return the value of a node, None where it is not of its type (the fault is noted)."""
        match kind:
            case Scalar():
                return self._scalar(node, kind, path)
            case Listing():
                return self._listing(node, kind, path)
            case Named():
                return self._named(node, kind, path)
            case Record():
                return self._record(node, kind, path)
            case Either():
                return self._either(node, kind, path)

    def _mismatch(self, node: Node, kind: Type, path: str) -> None:
        if isinstance(node, Text):
            what = "the value is missing" if node.empty else f"'{node.value[:60]}' does not belong here"
        else:
            what = "a list does not belong here" if isinstance(node, List) else "a map does not belong here"
        self.faults.error("type", Spot(node.place, path), what, expected(kind))

    def _scalar(self, node: Node, kind: Scalar, path: str) -> Word | None:
        if not isinstance(node, Text) or node.empty:
            self._mismatch(node, kind, path)
            return None
        spot = Spot(node.place, path)
        try:
            data = kind.read(node.value)
        except Refused as error:
            self.faults.error(error.code, spot, error.message, error.expected)
            return None
        if kind.kinds and data not in kind.also:
            self.mentions.append(Mention(str(data).removeprefix("loose:"), kind, spot))
        return Word(data, spot)

    def _listing(self, node: Node, kind: Listing, path: str) -> Items | None:
        if isinstance(node, Text) and not node.empty and kind.words:
            words = node.value.replace(";", " ").split()
            node = List(tuple(Text(w, node.place, node.plain) for w in words), node.place)
        if not isinstance(node, List):
            self._mismatch(node, kind, path)
            return None
        if len(node.items) < kind.least:
            self.faults.error("type", Spot(node.place, path), "the list is too short", f"at least {kind.least} items")
        read = [self.read(item, kind.of, f"{path}[{i}]") for i, item in enumerate(node.items)]
        return Items(tuple(value for value in read if value is not None), Spot(node.place, path))

    def _named(self, node: Node, kind: Named, path: str) -> Table | None:
        if isinstance(node, Text) and node.empty:
            node = Map((), node.place)
        if isinstance(node, List) and kind.flat:
            node = self._flat(node, kind, path)
        if not isinstance(node, Map):
            self._mismatch(node, kind, path)
            return None
        rows = []
        for key, value in node.entries:
            inner = f"{path}.{key.value}"
            name = self._scalar(key, kind.keys, inner)
            found = self.read(value, kind.of, inner)
            if name is not None and found is not None:
                rows.append((name, found))
        return Table(tuple(rows), Spot(node.place, path))

    def _flat(self, node: List, kind: Named, path: str) -> Map:
        """The names of a list as the keys of a map."""
        entries: dict[str, tuple[Text, Node]] = {}
        for i, item in enumerate(node.items):
            spot = Spot(item.place, f"{path}[{i}]")
            if not isinstance(item, Text):
                self._mismatch(item, kind.keys, spot.field)
            elif item.value in entries:
                first = entries[item.value][0].place
                text = f"`{item.value}` was given before, at {first.line}:{first.column}"
                self.faults.error("duplicate-key", spot, text)
            else:
                entries[item.value] = item, Map((), item.place)
        return Map(tuple(entries.values()), node.place)

    def _record(self, node: Node, kind: Record, path: str) -> Entry | None:
        if isinstance(node, Text) and node.empty:
            node = Map((), node.place)
        if not isinstance(node, Map):
            self._mismatch(node, kind, path)
            return None
        spot = Spot(node.place, path)
        unknown = [key for key, _ in node.entries if kind.key(key.value) is None]
        values, broken = {}, {self._unknown_key(key, kind, path) for key in unknown} - {""}
        for row in kind.keys:
            inner = node.get(row.name)
            if inner is None:
                continue
            found = self.read(inner, row.type, f"{path}.{row.name}" if path else row.name)
            if found is None:
                broken.add(row.name)
            else:
                values[row.name] = found
        return self._completed(Entry(kind, spot, values, frozenset(broken)))

    def _unknown_key(self, key: Text, kind: Record, path: str) -> str:
        """Note the key; return the one that was meant, which then is not also said to be missing."""
        names = [k.name for k in kind.keys]
        near = nearest(key.value, names)
        known = "" if near else "one of " + ", ".join(names)
        inner = f"{path}.{key.value}" if path else key.value
        self.faults.error("unknown-key", Spot(key.place, inner), f"there is no key `{key.value}` here", known, near)
        return near

    def _completed(self, entry: Entry) -> Entry:
        """The entry with what `defaults` adds; one of a set of exclusive keys shuts out its alternatives."""
        kind, values = entry.record, dict(entry.values)
        for group in kind.exclusive:
            given = [key for key in group if entry.has(key)]
            if len(given) > 1:
                both = " and ".join(f"`{key}`" for key in given)
                self.faults.error("exclusive", entry.at(given[1]), f"{both} exclude each other", "one of them")
        default = self.defaults.get(kind.defaults)
        for key, value in default.values.items() if default else ():
            shut = any(key in group and any(entry.has(k) for k in group) for group in kind.exclusive)
            if kind.key(key) is not None and not entry.has(key) and not shut:
                values[key] = value
        for row in kind.keys:
            if row.required and row.name not in values and row.name not in entry.broken:
                text = f"`{row.name}` is missing"
                self.faults.error("missing-key", entry.spot, text, expected(row.type))
        return Entry(kind, entry.spot, values, entry.broken)

    def _either(self, node: Node, kind: Either, path: str) -> Value | None:
        fits: list[Type] = [option for option in kind.options if _fits(node, option)]
        if isinstance(node, Text) and not node.empty and len(fits) > 1:
            fits = [self._first_readable(node, kind, fits)]
        if not fits:
            self._mismatch(node, kind, path)
            return None
        return self.read(node, fits[0], path)

    @staticmethod
    def _first_readable(node: Text, kind: Either, fits: list[Type]) -> Type:
        """The first option that takes the text; else one that refuses it with what all of them expect."""
        first: Scalar | None = None
        for option in fits:
            scalar = option.of if isinstance(option, Listing) else option
            if isinstance(scalar, Scalar):
                try:
                    scalar.read(node.value)
                except Refused as error:
                    if error.code == "range" and first is None:
                        first = scalar
                else:
                    return option
        return first or Scalar("either", expected(kind), _refuse(expected(kind)), {})


def _refuse(words: str) -> Callable[[str], Atom]:
    def take(text: str) -> Atom:
        raise Refused("type", f"'{text[:60]}' does not belong here", words)

    return take


def _fits(node: Node, kind: Type) -> bool:
    match kind:
        case Scalar():
            return isinstance(node, Text)
        case Listing():
            return isinstance(node, List) or (isinstance(node, Text) and kind.words)
        case Record(mark=mark):
            return isinstance(node, Map) and (not mark or node.get(mark) is not None)
        case Named():
            return isinstance(node, Map)
        case Either(options=options):
            return any(_fits(node, option) for option in options)
