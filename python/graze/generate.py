"""Queries, scenes, bodies and levels from a seed: the same bits on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Tuple

import numpy as np

from . import _core
from ._types import Vector

Array = np.ndarray[Any, Any]

#: Families of queries: ordinary, near and degenerate ones.
FAMILIES: Tuple[str, ...] = tuple(_core.family_names())
SCENES: Tuple[str, ...] = tuple(_core.scene_names())
MODELS: Tuple[str, ...] = tuple(_core.model_names())
LEVELS: Tuple[str, ...] = tuple(_core.level_names())


def _count(name: str, value: int) -> int:
    if not 0 <= value < 2**63:
        raise ValueError(f"{name}: is {value}, not >= 0")
    return value


def queries(family: str, kind: str, count: int, seed: int = 0) -> Tuple[Array, Array]:
    """``count`` queries of a family, as (start, end) for :func:`graze.ccd`.

    >>> import graze
    >>> start, end = graze.generate.queries("flat", "ee", 10)
    >>> start.shape
    (10, 4, 3)
    """
    start, end = _core.generate_queries(
        family, kind, _count("count", count), _count("seed", seed)
    )
    return start, end


@dataclass(frozen=True, eq=False)
class Scene:
    """Meshes that move in steps of (start, end)."""

    F: Array
    E: Array
    body: Array
    steps: List[Tuple[Array, Array]]


def scene(name: str, seed: int = 0, queries: int = 1000) -> Scene:
    """A scene; ``queries``: about how many pairs of a kind it should have.

    >>> import graze
    >>> s = graze.generate.scene("sheet-on-ball", queries=200)
    >>> stepper = graze.MeshStepper(len(s.body), F=s.F)
    >>> start, end = s.steps[0]
    >>> 0 <= stepper.first_impact(start, end, body=s.body).toi_lower
    True
    """
    return Scene(*_core.generate_scene(name, _count("seed", seed), _count("queries", queries)))


def model(name: str, faces: int = 0) -> Tuple[Array, List[Array]]:
    """A closed body, as (V, polygons), with about so many faces.

    >>> import graze
    >>> V, polygons = graze.generate.model("cube")
    >>> V.shape, len(polygons)
    ((8, 3), 6)
    """
    V, counts, corners = _core.generate_model(name, _count("faces", faces))
    return V, np.split(corners, np.cumsum(counts)[:-1])


@dataclass(frozen=True, eq=False)
class LevelScene:
    """A level to slide over: parts of (V, F), a start for a ball of radius 1, and moves."""

    parts: List[Tuple[Array, Array]]
    start: Vector
    moves: Array


def level(
    name: str, seed: int = 0, terrain_faces: int = 10_000, max_moves: int = 10_000
) -> LevelScene:
    """A level by name, one of :data:`LEVELS`."""
    sizes = _count("terrain_faces", terrain_faces), _count("max_moves", max_moves)
    return LevelScene(*_core.generate_level(name, _count("seed", seed), *sizes))
