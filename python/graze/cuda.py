"""Whole meshes in a time step on a graphics processor, on arrays that are there already.

    import torch, graze.cuda
    stepper = graze.cuda.DeviceStepper(len(V), faces)
    first = stepper.first_impact(start, end)      # torch, cupy, jax, warp: (n, 3) float64 on the device
    impacts = stepper.all_impacts(start, end)
    torch.as_tensor(impacts.edge_edge.toi_lower)  # stays on the device

Same answers as :class:`graze.MeshStepper`, to the bit. Nothing is copied: positions are read where they
are, impacts stay where they were found, valid until the next call of their stepper. Needs the library
``libgraze_cuda_c`` (build with ``GRAZE_BUILD_CUDA=ON``): beside this file, on the path of the loader, or
named by the environment variable ``GRAZE_CUDA_LIBRARY``. Uses the standard library alone.
"""

from __future__ import annotations

import ctypes
import math
import os
from pathlib import Path
from typing import Any, List, NamedTuple, Optional, Sequence

from ._device_arrays import DeviceArray, Positions

KINDS = ("vf", "ee", "vv", "ve")
_VERDICTS = ("separated", "contact", "unresolved")
_UNSUPPORTED = 3
_OUT_OF_MEMORY = 2
_INVALID = 1


class DeviceError(RuntimeError):
    """No driver, no device, no library, or one that failed."""


class _Options(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_uint64),
        ("min_separation", ctypes.c_double),
        ("t_max", ctypes.c_double),
        ("time_width", ctypes.c_double),
        ("max_norm", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
    ]


class _HostImpact(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int32),
        ("a", ctypes.c_uint32),
        ("b", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("toi_lower", ctypes.c_double),
        ("toi_upper", ctypes.c_double),
    ]


class _Verdict(ctypes.Structure):
    _fields_ = [
        ("verdict", ctypes.c_int32),
        ("has_first", ctypes.c_int32),
        ("toi_lower", ctypes.c_double),
        ("toi_upper", ctypes.c_double),
        ("first", _HostImpact),
    ]


class _Impacts(ctypes.Structure):
    _fields_ = [
        ("verdict", _Verdict),
        ("impacts", ctypes.c_void_p * 4),
        ("counts", ctypes.c_uint64 * 4),
        ("host_count", ctypes.c_uint64),
    ]


class Impact(NamedTuple):
    """A pair that collides: ``kind`` is one of :data:`KINDS`."""

    kind: str
    a: int
    b: int
    toi_lower: float
    toi_upper: float


class FirstImpact(NamedTuple):
    """[0, toi_lower) is free of contact for all pairs: proved."""

    verdict: str
    toi_lower: float
    toi_upper: float
    impact: Optional[Impact]


class Column(NamedTuple):
    """The impacts of one kind, in the order of a, b: four columns in device memory."""

    a: DeviceArray
    b: DeviceArray
    toi_lower: DeviceArray
    toi_upper: DeviceArray


class Impacts(NamedTuple):
    verdict: str
    toi_lower: float
    toi_upper: float
    first: Optional[Impact]
    vertex_face: Column
    edge_edge: Column
    vertex_vertex: Column
    vertex_edge: Column
    by_host: List[Impact]  # further ones, which took exact arithmetic: few


_library: Optional[ctypes.CDLL] = None


def _load() -> ctypes.CDLL:
    global _library
    if _library is not None:
        return _library
    named = os.environ.get("GRAZE_CUDA_LIBRARY")
    beside = Path(__file__).with_name("libgraze_cuda_c.so")
    path = named or (str(beside) if beside.exists() else "libgraze_cuda_c.so")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise DeviceError(
            f"graze.cuda needs libgraze_cuda_c, built with GRAZE_BUILD_CUDA=ON: {error}"
        ) from None
    if library.graze_cuda_abi_version() != 1:
        raise DeviceError(f"{path} has another interface than this module")
    library.graze_cuda_last_error.restype = ctypes.c_char_p
    library.graze_cuda_last_error_index.restype = ctypes.c_int64
    pointer, count, double = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_double
    library.graze_cuda_create.argtypes = [
        count, pointer, count, pointer, count, ctypes.c_int32, count, pointer]
    library.graze_cuda_destroy.argtypes = [pointer]
    library.graze_cuda_destroy.restype = None
    library.graze_cuda_wait.argtypes = [count]
    for name in ("graze_cuda_first_impact", "graze_cuda_all_impacts"):
        getattr(library, name).argtypes = [pointer, pointer, pointer, count, pointer, pointer]
    library.graze_cuda_host_impacts.argtypes = [pointer, pointer, count]
    _library = library
    return library


def _check(library: ctypes.CDLL, status: int) -> None:
    if status == 0:
        return
    message = library.graze_cuda_last_error().decode()
    if status == _INVALID:
        raise ValueError(message)
    if status == _OUT_OF_MEMORY:
        raise MemoryError(message)
    raise DeviceError(message)


def _indices(rows: Any, width: int, what: str) -> "ctypes.Array[Any]":
    flat: List[int] = []
    for i, row in enumerate(rows):
        values: Sequence[int] = [int(v) for v in row]
        if len(values) != width:
            raise ValueError(f"{what}[{i}] has {len(values)} indices, not {width}")
        if any(v < 0 or v > 0xFFFFFFFF for v in values):
            raise ValueError(f"{what}[{i}] has an index that names no vertex")
        flat.extend(values)
    return (ctypes.c_uint32 * len(flat))(*flat)


def _impact(found: _HostImpact) -> Impact:
    return Impact(KINDS[found.kind], found.a, found.b, found.toi_lower, found.toi_upper)


class DeviceStepper:
    """Keeps device memory from step to step. One call at a time.

    ``vertices`` is their number, ``faces`` and ``edges`` (loose ones) rows of indices on the host.
    ``pair_memory`` [bytes] bounds the lists of pairs; answers do not depend on it."""

    def __init__(self, vertices: int, faces: Any = (), edges: Any = (), *, device: int = 0,
                 pair_memory: int = 0) -> None:
        self._handle = ctypes.c_void_p()
        self._library = _load()
        self.vertices = int(vertices)
        self.device = device
        triangles = _indices(faces, 3, "faces")
        segments = _indices(edges, 2, "edges")
        _check(self._library, self._library.graze_cuda_create(
            self.vertices, triangles, len(triangles) // 3, segments, len(segments) // 2, device,
            pair_memory, ctypes.byref(self._handle)))

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None and handle.value:
            self._library.graze_cuda_destroy(handle)

    def _call(self, function: Any, start: Any, end: Any, result: Any, min_separation: float,
              norm: str, t_max: float, time_width: float) -> None:
        if norm not in ("euclidean", "max"):
            raise ValueError(f"norm is '{norm}', neither 'euclidean' nor 'max'")
        at = Positions(start, "start")
        to = Positions(end, "end")
        for what, positions in (("start", at), ("end", to)):
            if positions.vertices != self.vertices:
                raise ValueError(
                    f"{what} has {positions.vertices} vertices, the mesh {self.vertices}")
            _check(self._library, self._library.graze_cuda_wait(positions.stream or 0))
        options = _Options(ctypes.sizeof(_Options), min_separation, t_max, time_width,
                           int(norm == "max"), 0)
        _check(self._library, function(self._handle, at.pointer, to.pointer, self.vertices,
                                       ctypes.byref(options), ctypes.byref(result)))

    def first_impact(self, start: Any, end: Any, *, min_separation: float = 0.0,
                     norm: str = "euclidean", t_max: float = 1.0,
                     time_width: float = 1e-9) -> FirstImpact:
        """As :meth:`graze.MeshStepper.first_impact`, for positions in device memory."""
        found = _Verdict(2, 0, 0.0, math.inf)
        self._call(self._library.graze_cuda_first_impact, start, end, found, min_separation, norm,
                   t_max, time_width)
        return FirstImpact(_VERDICTS[found.verdict], found.toi_lower, found.toi_upper,
                           _impact(found.first) if found.has_first else None)

    def all_impacts(self, start: Any, end: Any, *, min_separation: float = 0.0,
                    norm: str = "euclidean", t_max: float = 1.0,
                    time_width: float = 1e-9) -> Impacts:
        """Every pair that collides, left in device memory: valid until the next call."""
        found = _Impacts()
        self._call(self._library.graze_cuda_all_impacts, start, end, found, min_separation, norm,
                   t_max, time_width)
        others = (_HostImpact * found.host_count)()
        _check(self._library, self._library.graze_cuda_host_impacts(
            self._handle, others, found.host_count))

        def column(kind: int) -> Column:
            base, count = found.impacts[kind] or 0, found.counts[kind]
            part = [DeviceArray(self, base + offset, count, 24, typestr, self.device)
                    for offset, typestr in ((0, "<i4"), (4, "<i4"), (8, "<f8"), (16, "<f8"))]
            return Column(*part)

        verdict = found.verdict
        return Impacts(_VERDICTS[verdict.verdict], verdict.toi_lower, verdict.toi_upper,
                       _impact(verdict.first) if verdict.has_first else None,
                       column(0), column(1), column(2), column(3), [_impact(o) for o in others])
