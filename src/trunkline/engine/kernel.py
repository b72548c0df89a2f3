"""The compiled core behind a plain C ABI, called through ctypes.

It trusts what has passed the gates of `spf` and `placement`; the structures here repeat `core/abi.hpp` field by field.
"""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from trunkline.engine.cuts import Cuts
from trunkline.engine.graph import Bool, Graph, Int32, Int64
from trunkline.engine.igp_loads import Demand, IgpLoads
from trunkline.engine.placement import PRIORITIES, Links, Log, Lsps, Paths, State, Step
from trunkline.engine.sweep import Changes, How, Resizes, Swept

LIBRARY = Path(__file__).with_name("_core.so")
ABI = 2

Array = npt.NDArray[Any]
_POINTER, _I32, _I64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64


def _pointers(names: str) -> list[tuple[str, Any]]:
    return [(name, _POINTER) for name in names.split()]


class _Graph(ctypes.Structure):
    _fields_ = [("nodes", _I32), ("arcs", _I32), *_pointers("start head tail rank metric transit")]


class _Links(ctypes.Structure):
    _fields_ = [("graph", _Graph), *_pointers("reservable groups up")]


class _Lsps(ctypes.Structure):
    _fields_ = [
        ("count", _I64),
        *_pointers("head tail setup hold hop_limit include_any include_all exclude first hop node arcs loose"),
    ]


class _State(ctypes.Structure):
    _fields_ = _pointers("option start arc held wanted tried")


class _Step(ctypes.Structure):
    _fields_ = [("wanted", _POINTER), ("turns", _I64), ("turn", _POINTER), ("reoptimize", _I32)]


class _Cuts(ctypes.Structure):
    _fields_ = [("count", _I64), *_pointers("start arc")]


class _Resizes(ctypes.Structure):
    _fields_ = _pointers("start lsp wanted")


class _IgpOut(ctypes.Structure):
    _fields_ = _pointers("hottest most undelivered load")


class _SweptOut(ctypes.Structure):
    _fields_ = _pointers("moved unplaced displaced lost hottest most first lsp option held start arc")


class _Out(ctypes.Structure):
    _fields_ = _pointers("option start arc held wanted tried did lsp bandwidth by where log_start log_path")


def trouble() -> str:
    """Return why the compiled core cannot be used, an empty string where it can."""
    return _load()[1]


@cache
def _load() -> tuple[ctypes.CDLL | None, str]:
    if not LIBRARY.exists():
        return None, "the compiled core was not built: no C++ compiler at installation"
    try:
        core = ctypes.CDLL(str(LIBRARY))
        version = core.tl_abi()
    except (OSError, AttributeError) as error:
        return None, f"the compiled core does not load: {error}"
    if version != ABI:
        return None, f"the compiled core has ABI {version}, not {ABI}: install again"
    core.tl_distances.argtypes = [_POINTER, _I64, _POINTER, _I64, _POINTER, _POINTER]
    core.tl_loads.argtypes = [_POINTER, _POINTER, _I64, _POINTER, _POINTER, _POINTER]
    core.tl_igp_sweep.argtypes = [*[_POINTER] * 4, _I32, _POINTER]
    core.tl_sweep.argtypes = [*[_POINTER] * 5, _I32, _I32]
    core.tl_swept_sizes.argtypes = core.tl_swept_copy.argtypes = [_POINTER, _POINTER]
    core.tl_swept_free.argtypes = [_POINTER]
    core.tl_sweep.restype = _POINTER
    core.tl_swept_sizes.restype = core.tl_swept_copy.restype = core.tl_swept_free.restype = None
    core.tl_advance.argtypes = core.tl_routes.argtypes = [_POINTER] * 4
    core.tl_advance.restype = core.tl_routes.restype = _POINTER
    core.tl_sizes.argtypes = core.tl_copy.argtypes = [_POINTER, _POINTER]
    core.tl_sizes.restype = core.tl_copy.restype = core.tl_free.restype = None
    core.tl_free.argtypes = [_POINTER]
    return core, ""


def _core() -> ctypes.CDLL:
    core, why = _load()
    if core is None:
        raise RuntimeError(why)
    return core


class _Borrowed:
    """Keeps alive, for the length of one call, the arrays whose addresses the core has been given."""

    def __init__(self) -> None:
        self.arrays: list[Array] = []

    def at(self, array: Array, dtype: Any) -> int:
        """The address of an array's data, contiguous and of this type."""
        held = np.ascontiguousarray(array, dtype)
        self.arrays.append(held)
        return held.ctypes.data

    def graph(self, graph: Graph) -> _Graph:
        ints = [self.at(column, np.int32) for column in (graph.start, graph.head, graph.tail, graph.rank)]
        return _Graph(graph.nodes, graph.arcs, *ints, self.at(graph.metric, np.int64), self.at(graph.transit, np.uint8))

    def links(self, links: Links) -> _Links:
        return _Links(
            self.graph(links.graph),
            self.at(links.reservable, np.int64),
            self.at(links.groups, np.uint64),
            self.at(links.up, np.uint8),
        )

    def lsps(self, lsps: Lsps) -> _Lsps:
        options = lsps.options
        ints = (lsps.head, lsps.tail, lsps.setup, lsps.hold, lsps.hop_limit)
        masks = (lsps.include_any, lsps.include_all, lsps.exclude)
        return _Lsps(
            len(lsps),
            *(self.at(column, np.int32) for column in ints),
            *(self.at(column, np.uint64) for column in masks),
            *(self.at(column, np.int32) for column in (options.first, options.hop, options.node, options.arcs)),
            self.at(options.loose, np.uint8),
        )

    def cuts(self, cuts: Cuts) -> _Cuts:
        return _Cuts(len(cuts), self.at(cuts.start, np.int64), self.at(cuts.arc, np.int32))

    def state(self, state: State) -> _State:
        return _State(
            self.at(state.paths.option, np.int32),
            self.at(state.paths.start, np.int64),
            self.at(state.paths.arc, np.int32),
            self.at(state.held, np.int64),
            self.at(state.wanted, np.int64),
            self.at(state.tried, np.uint8),
        )


def distances(graph: Graph, sources: Int32, up: Bool, out: Int64) -> None:
    """See `reference.distances`."""
    lent = _Borrowed()
    given = lent.graph(graph)
    where, alive = lent.at(sources, np.int32), lent.at(up, np.uint8)
    _done(_core().tl_distances(ctypes.byref(given), len(sources), where, len(up), alive, out.ctypes.data))


def loads(graph: Graph, demand: Int64, up: Bool, out: Int64, undelivered: Int64) -> None:
    """See `reference.loads`."""
    lent = _Borrowed()
    given = lent.graph(graph)
    rates, alive = lent.at(demand, np.int64), lent.at(up, np.uint8)
    lost = undelivered.ctypes.data
    _done(_core().tl_loads(ctypes.byref(given), rates, len(up), alive, out.ctypes.data, lost))


def advance(links: Links, lsps: Lsps, state: State, step: Step) -> tuple[State, Log]:
    """See `placement.advance`."""
    lent = _Borrowed()
    wanted, turns = lent.at(step.wanted, np.int64), lent.at(step.turns, np.int32)
    given = (
        lent.links(links),
        lent.lsps(lsps),
        lent.state(state),
        _Step(wanted, len(step.turns), turns, step.reoptimize),
    )
    out = _fetch(_core().tl_advance(*map(ctypes.byref, given)), len(lsps), placed=True)
    paths = Paths(out["option"], out["start"], out["arc"])
    columns = [out[name] for name in ("did", "lsp", "bandwidth", "by", "where", "log_start", "log_path")]
    return State(paths, out["held"], out["wanted"], out["tried"].view(np.bool_)), Log(*columns)


def routes(links: Links, lsps: Lsps, bandwidth: Int64, reserved: Int64) -> Paths:
    """See `placement.routes`."""
    lent = _Borrowed()
    given, asked = lent.links(links), lent.lsps(lsps)
    rates, booked = lent.at(bandwidth, np.int64), lent.at(reserved, np.int64)
    result = _core().tl_routes(ctypes.byref(given), ctypes.byref(asked), rates, booked)
    out = _fetch(result, len(lsps), placed=False)
    return Paths(out["option"], out["start"], out["arc"])


def igp_loads(graph: Graph, demand: Demand, cuts: Cuts, how: How) -> IgpLoads:
    """See `igp_loads.igp_loads`."""
    lent, count = _Borrowed(), len(cuts)
    arc, most, lost = np.zeros(count, np.int32), np.zeros(count, np.int64), np.zeros(count, np.int64)
    every = np.zeros((count, graph.arcs), np.int64) if how.keep else None
    given, scenarios = lent.graph(graph), lent.cuts(cuts)
    rates, room = lent.at(demand.rates, np.int64), lent.at(demand.capacity, np.int64)
    out = _IgpOut(*(None if a is None else a.ctypes.data for a in (arc, most, lost, every)))
    whole = ctypes.byref(given), rates, room, ctypes.byref(scenarios), how.workers, ctypes.byref(out)
    _done(_core().tl_igp_sweep(*whole))
    return IgpLoads(_sealed(arc), _sealed(most), _sealed(lost), None if every is None else _sealed(every))


def sweep(links: Links, lsps: Lsps, state: State, cuts: Cuts, resizes: Resizes, how: How) -> Swept | None:
    """See `sweep.sweep`; None where the state has not settled."""
    lent = _Borrowed()
    turns = lent.at(resizes.start, np.int64), lent.at(resizes.lsp, np.int32), lent.at(resizes.wanted, np.int64)
    given = lent.links(links), lent.lsps(lsps), lent.state(state), lent.cuts(cuts), _Resizes(*turns)
    swept = _core().tl_sweep(*map(ctypes.byref, given), how.workers, how.keep)
    if not swept:
        raise MemoryError("the compiled core ran out of memory")
    try:
        sizes = np.zeros(3, np.int64)
        _core().tl_swept_sizes(swept, sizes.ctypes.data)
        settled, changed, arcs = sizes.tolist()
        if not settled:
            return None
        out = _swept_arrays(len(cuts), changed, arcs, how.keep)
        _core().tl_swept_copy(swept, ctypes.byref(_SweptOut(*(array.ctypes.data for array in out))))
    finally:
        _core().tl_swept_free(swept)
    found = [_sealed(array) for array in out]
    moved, unplaced, displaced, lost, hottest, reserved = found[:6]
    changes = Changes(*found[6:]) if how.keep else None
    return Swept(moved, unplaced, displaced, lost, hottest, reserved, changes)


def _swept_arrays(count: int, changes: int, arcs: int, keep: bool) -> list[Array]:
    """Where a sweep is copied to, in the order of `_SweptOut`."""
    shapes: list[tuple[Any, Any]] = [
        *((count, np.int32) for _ in range(3)),
        ((count, PRIORITIES), np.int64),
        (count, np.int32),
        (count, np.int64),
        (count + 1 if keep else 1, np.int64),
        (changes, np.int32),
        (changes, np.int32),
        (changes, np.int64),
        (changes + 1, np.int64),
        (arcs, np.int32),
    ]
    return [np.zeros(shape, dtype) for shape, dtype in shapes]


def _sealed(array: Array) -> Array:
    array.flags.writeable = False
    return array


def _fetch(result: int | None, count: int, placed: bool) -> dict[str, Array]:
    """Copy a result out of the core into read-only arrays, and give its memory back."""
    if not result:
        raise MemoryError("the compiled core ran out of memory")
    try:
        sizes = np.zeros(3, np.int64)
        _core().tl_sizes(result, sizes.ctypes.data)
        arcs, lines, log_arcs = sizes.tolist()
        settled = count if placed else 0
        shapes: list[tuple[str, int, Any]] = [
            ("option", count, np.int32),
            ("start", count + 1, np.int64),
            ("arc", arcs, np.int32),
            ("held", settled, np.int64),
            ("wanted", settled, np.int64),
            ("tried", settled, np.uint8),
            ("did", lines, np.int32),
            ("lsp", lines, np.int32),
            ("bandwidth", lines, np.int64),
            ("by", lines, np.int32),
            ("where", lines, np.int32),
            ("log_start", lines + 1, np.int64),
            ("log_path", log_arcs, np.int32),
        ]
        out = {name: np.zeros(size, dtype) for name, size, dtype in shapes}
        _core().tl_copy(result, ctypes.byref(_Out(*(array.ctypes.data for array in out.values()))))
    finally:
        _core().tl_free(result)
    return {name: _sealed(array) for name, array in out.items()}


def _done(code: int) -> None:
    if code:
        raise MemoryError("the compiled core ran out of memory")
