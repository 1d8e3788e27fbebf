"""Query files and mesh files (docs/FORMATS.md)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._types import ArrayLike

Array = np.ndarray[Any, Any]
Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True, eq=False)
class Queries:
    """Queries of one kind, and what is known of them.

    ``truth``: 1 contact, 0 separated, -1 unknown; ``first_time``: (n, 2), the bracket of the exact
    first time, infinite for separated ones, NaN where it is unknown.
    """

    kind: str
    start: Array
    end: Array
    truth: Array
    first_time: Array
    group: str = ""

    def __len__(self) -> int:
        return len(self.start)


def read_queries(path: Path, kind: str, truth: Optional[Path] = None) -> Queries:
    """Reads a query file: the rational CSV of the CCD benchmark or the binary form, plain or gzip.

    ``truth``: a JSON list of booleans, one per query.
    """
    list_of_truths = None if truth is None else os.fspath(truth)
    return Queries(kind, *_core.read_queries(os.fspath(path), kind, list_of_truths))


def write_queries(
    path: Path,
    kind: str,
    start: ArrayLike,
    end: ArrayLike,
    truth: Optional[ArrayLike] = None,
    first_time: Optional[ArrayLike] = None,
    *,
    format: str = "binary",
) -> None:
    """Writes a query file, ``"binary"`` or ``"csv"``; a name that ends in .gz is packed.

    >>> import graze, os, tempfile
    >>> start, end = graze.generate.queries("ordinary", "ee", 5)
    >>> path = os.path.join(tempfile.mkdtemp(), "queries.gzq")
    >>> graze.io.write_queries(path, "ee", start, end)
    >>> bool((graze.io.read_queries(path, "ee").start == start).all())
    True
    """
    _core.write_queries(os.fspath(path), kind, start, end, truth, first_time, format)


def embedded() -> List[Queries]:
    """The queries that ship with graze, with exact ground truth.

    >>> import graze
    >>> sets = graze.io.embedded()
    >>> sorted({s.group for s in sets})
    ['degenerate', 'near', 'ordinary', 'wild']
    """
    return [
        Queries(kind, *_core.read_embedded(group, kind), group=group)
        for group, kind in _core.embedded_sets()
    ]


def read_query_sets(folder: Path) -> List[Queries]:
    """Every query set of a data folder, laid out as docs/data.md describes it."""
    sets = _core.find_query_sets(os.fspath(folder))
    return [
        Queries(kind, *_core.read_query_set(source), group=f"{group}/{scene}")
        for group, scene, kind, source in sets
    ]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Positions, triangles and the edges that belong to no triangle."""

    V: Array
    F: Array
    E: Array


@dataclass(frozen=True, eq=False)
class MeshPair:
    """A mesh at both ends of a step."""

    start: Array
    end: Array
    F: Array
    E: Array


def read_mesh(path: Path) -> Mesh:
    """Reads OBJ, PLY and STL, plain or gzip; polygons are cut into triangles."""
    return Mesh(*_core.read_mesh(os.fspath(path)))


def read_mesh_pair(start: Path, end: Path) -> MeshPair:
    """Reads both ends of a step."""
    return MeshPair(*_core.read_mesh_pair(os.fspath(start), os.fspath(end)))


def polygons(faces: Union[ArrayLike, Sequence[Sequence[int]]]) -> Tuple[Array, Array]:
    """Faces as (number of corners of each, all corners end to end).

    >>> import graze
    >>> counts, corners = graze.io.polygons([[0, 1, 2], [0, 2, 3, 4]])
    >>> counts.tolist(), corners.tolist()
    ([3, 4], [0, 1, 2, 0, 2, 3, 4])
    """
    if isinstance(faces, np.ndarray) and faces.ndim == 2:
        return np.full(len(faces), faces.shape[1], np.uint32), faces.reshape(-1)
    lists = [np.asarray(face) for face in faces]
    counts = np.array([len(face) for face in lists], np.uint32)
    return counts, np.concatenate(lists) if lists else np.zeros(0, np.uint32)


def write_mesh(
    path: Path,
    V: ArrayLike,
    F: Union[ArrayLike, Sequence[Sequence[int]]] = (),
    E: Optional[ArrayLike] = None,
    comment: str = "",
) -> None:
    """Writes an OBJ file; each coordinate reads back to the same double.

    >>> import graze, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "triangle.obj")
    >>> graze.io.write_mesh(path, [[0, 0, 0], [1, 0, 0], [0, 1, 0.1]], [[0, 1, 2]])
    >>> graze.io.read_mesh(path).V[2].tolist()
    [0.0, 1.0, 0.1]
    """
    counts, corners = polygons(F)
    _core.write_mesh(os.fspath(path), V, counts, corners, E, comment)
