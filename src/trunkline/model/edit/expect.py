"""What a tree must be after a change, and where it is not."""

from __future__ import annotations

import copy
from typing import Any

from trunkline.model.edit.words import Value, plain

Keys = list[str | int | None]
"""The way down to a node: names of maps, indices of lists; a last None is one past the end of a list."""


def expected_after(tree: object, keys: Keys, value: Value | None) -> object:
    """Return plain data with the value at the end of the keys, or without what is there where the value is None.

    No keys: nothing changes.
    """
    root: Any = copy.deepcopy(tree)
    if not keys:
        return root
    box, outer = root, root
    for key in keys[:-1]:
        outer, box = box, box[key]
    last = keys[-1]
    if value is None:
        del box[last]
        return root
    if box == "" and len(keys) > 1:  # a key with nothing behind it becomes what is put into it
        box = outer[keys[-2]] = [] if last is None else {}
    if last is None:
        box.append(plain(value))
    else:
        box[last] = plain(value)
    return root


def differences(wanted: object, found: object, path: str = "") -> list[str]:
    """Return the field paths at which two trees of plain data differ, in order."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        keys = [*wanted, *(key for key in found if key not in wanted)]
        return [p for k in keys for p in differences(wanted.get(k), found.get(k), f"{path}.{k}".removeprefix("."))]
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        pairs = enumerate(zip(wanted, found, strict=True))
        return [p for i, (a, b) in pairs for p in differences(a, b, f"{path}[{i}]")]
    if isinstance(wanted, list) and isinstance(found, str):  # a CSV field holds a list as its words
        return [] if wanted == found.split() else [path]
    return [] if wanted == found else [path]
