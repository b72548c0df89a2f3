"""Long lists in files of their own: CSV with a header of key names, JSON, and plain lists of prefixes.

They become trees like any other, each cell with its file, line and column.  In a CSV file an empty cell is a key left
out, a list's items are separated by spaces or semicolons, and `metric.ab` is the key `ab` of `metric`.
"""

from __future__ import annotations

from trunkline.model.problem import Problem, Problems
from trunkline.model.tree import Map, Place, Seq, Text, Tree, parse, problem

Cells = list[Text]


def read_list(file: str, text: str) -> Tree:
    """Return the tree of a list file, by its suffix: `.csv`, `.json`, or one value a line."""
    if file.endswith(".csv"):
        return _table(file, text)
    if file.endswith((".json", ".yaml", ".yml")):
        return parse(file, text)
    lines = [(number, line.split("#")[0].rstrip()) for number, line in enumerate(text.split("\n"), 1)]
    return Seq(
        tuple(
            Text(line.strip(), Place(file, number, len(line) - len(line.lstrip()) + 1))
            for number, line in lines
            if line.strip()
        ),
        Place(file, 1, 1),
    )


def by_name(tree: Tree) -> Tree:
    """Return a list of maps with `name` as a map from those names to what is left of each map."""
    if not isinstance(tree, Seq):
        return tree
    found: dict[str, tuple[Text, Tree]] = {}
    problems: list[Problem] = []
    for row in tree.items:
        name = row.get("name") if isinstance(row, Map) else None
        if not isinstance(row, Map) or not isinstance(name, Text):
            problems.append(problem(row.place, "missing-key", "'name' is missing in this row", "a name"))
        elif name.text in found:
            first = found[name.text][0].place
            what = f"'{name.text}' is given twice, first at {first.file}:{first.line}:{first.column}"
            problems.append(problem(name.place, "duplicate-key", what))
        else:
            rest = tuple(entry for entry in row.entries if entry[0].text != "name")
            found[name.text] = (name, Map(rest, row.place))
    if problems:
        raise Problems(problems)
    return Map(tuple(found.values()), tree.place)


def _table(file: str, text: str) -> Seq:
    problems: list[Problem] = []
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                rows.append(_cells(file, number, line))
            except Problems as error:
                problems += error.problems
    if not rows and not problems:
        problems.append(problem(Place(file, 1, 1), "empty", "the file is empty", "a header of key names"))
    if problems:
        raise Problems(problems)
    header = rows[0]
    for i, cell in enumerate(header):
        if not cell.text:
            problems.append(problem(cell.place, "csv", "a column has no name", "a key name"))
        elif cell.text in [other.text for other in header[:i]]:
            problems.append(problem(cell.place, "duplicate-key", f"column '{cell.text}' is given twice"))
    items = []
    for row in rows[1:]:
        if len(row) != len(header):
            what = f"{len(row)} cells under a header of {len(header)}"
            problems.append(problem(row[0].place, "csv", what, f"{len(header)} cells"))
        else:
            items.append(_row(header, row))
    if problems:
        raise Problems(problems)
    return Seq(tuple(items), Place(file, 1, 1))


def _row(header: Cells, row: Cells) -> Map:
    entries: dict[str, tuple[Text, Tree]] = {}
    for key, cell in zip(header, row, strict=True):
        if not cell.text:
            continue
        first, _, second = key.text.partition(".")
        if not second:
            entries[first] = (Text(first, cell.place), cell)
            continue
        before = entries.get(first)
        inner = before[1].entries if before and isinstance(before[1], Map) else ()
        entries[first] = (Text(first, cell.place), Map((*inner, (Text(second, cell.place), cell)), cell.place))
    return Map(tuple(entries.values()), row[0].place)


def _cells(file: str, line: int, text: str) -> Cells:
    """Split one line of RFC 4180: cells in quotes may hold commas, and quotes that are doubled."""
    cells: Cells = []
    at = 0
    while True:
        at += len(text[at:]) - len(text[at:].lstrip(" \t"))
        place = Place(file, line, at + 1)
        if text[at : at + 1] == '"':
            value, at = _quoted(text, at, place)
        else:
            end = text.find(",", at)
            end = len(text) if end < 0 else end
            value, at = text[at:end].strip(), end
        cells.append(Text(value, place, cell=True))
        if at >= len(text):
            return cells
        at += 1


def _quoted(text: str, at: int, place: Place) -> tuple[str, int]:
    """Return the value of a cell in quotes that starts at `at`, and where the comma after it stands."""
    value = ""
    at += 1
    while True:
        end = text.find('"', at)
        if end < 0:
            raise Problems([problem(place, "csv", "a quoted cell does not end on its line", 'a closing "')])
        value += text[at:end]
        if text[end + 1 : end + 2] != '"':
            break
        value, at = value + '"', end + 2
    rest = text[end + 1 :]
    if rest.strip() and not rest.lstrip().startswith(","):
        raise Problems([problem(place, "csv", "text stands after a quoted cell", "a comma")])
    return value, len(text) - len(rest.lstrip()) if rest.strip() else len(text)
