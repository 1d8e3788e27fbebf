"""A ball, ellipsoid or capsule that slides over a level of triangles, with a proved gap after every move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._types import ArrayLike, Vector, Verdict

#: The movers: ours, and those that it is compared with, which keep no proved gap.
MOVERS = ("graze", "linahan", "linahan-two-parameters", "fauerby", "fauerby-uncapped")


@dataclass(frozen=True)
class Touch:
    """A contact with the level: ``feature`` is face, edge or vertex of ``face`` of ``part``."""

    part: int
    face: int
    tag: int
    feature: str
    time: float
    point: Vector
    normal: Vector


@dataclass(frozen=True)
class MoveResult:
    """With ``gap_proved``, the gap to every face is at least ``skin`` at ``position``."""

    position: Vector
    stopped: str  #: free, blocked, pushed-out or limit
    skin: float
    gap_proved: bool
    iterations: int
    contacts: Tuple[Touch, ...]


@dataclass(frozen=True)
class ClimbResult:
    action: str  #: not-needed, climbed, no-room, too-high or not-walkable
    climbed: float
    steep_count: int
    moved: MoveResult


@dataclass(frozen=True)
class SnapResult:
    action: str  #: on-ground, snapped, no-ground or too-steep
    position: Vector
    gap_proved: bool
    dropped: float
    ground: Optional[Touch]


@dataclass(frozen=True)
class SweepResult:
    verdict: Verdict
    toi_lower: float
    toi_upper: float
    met_at_start: bool
    contact: Optional[Touch]


@dataclass(frozen=True)
class GapResult:
    found: bool
    gap_lower: float
    contact: Optional[Touch]


def _touch(row: Optional[Tuple[Any, ...]]) -> Optional[Touch]:
    return None if row is None else Touch(*row)


def _moved(row: Tuple[Any, ...]) -> MoveResult:
    position, stopped, skin, gap_proved, iterations, contacts = row
    touched = tuple(Touch(*c) for c in contacts)
    return MoveResult(position, stopped, skin, gap_proved, iterations, touched)


@dataclass(frozen=True)
class Shape:
    """An ellipsoid along x, y and z around each point from -half_axis to half_axis."""

    radii: Vector = (1.0, 1.0, 1.0)
    half_axis: Vector = (0.0, 0.0, 0.0)


def capsule(
    radius: float, half_height: float, axis: Sequence[float] = (0.0, 1.0, 0.0)
) -> Shape:
    """A capsule: ``half_height + radius`` from its centre to either end.

    >>> import graze
    >>> graze.slide.capsule(0.5, 1.0)
    Shape(radii=(0.5, 0.5, 0.5), half_axis=(0.0, 1.0, 0.0))
    """
    direction = np.asarray(axis, float)
    if not np.isfinite(direction).all() or not direction.any():
        raise ValueError(f"axis: {axis} is no direction")
    if not 0.0 < radius < np.inf:
        raise ValueError(f"radius: is {radius}, not > 0")
    if not 0.0 <= half_height < np.inf:
        raise ValueError(f"half_height: is {half_height}, not >= 0")
    return Shape(*_core.capsule(radius, half_height, direction))


#: A radius, three radii, or a shape.
ShapeLike = Union[float, ArrayLike, Shape]


def _shape(shape: ShapeLike) -> Tuple[ArrayLike, ArrayLike]:
    if isinstance(shape, Shape):
        return shape.radii, shape.half_axis
    return (np.full(3, float(shape)) if np.ndim(shape) == 0 else shape), np.zeros(3)


class Level:
    """Triangles to slide over, in parts that can be moved or replaced.

    ``dtype``: ``"float64"`` or ``"float32"``, the numbers that everything is proved for. ``shape``
    of the calls is a radius, three radii, or a :class:`Shape` such as :func:`capsule` makes. ``skin`` and ``layers`` are options of every move.
    Several threads may ask at once; changes wait for them. Pickled and copied by its parts.

    >>> import graze
    >>> level = graze.slide.Level()
    >>> level.add_part([[-9, 0, -9], [9, 0, -9], [9, 0, 9], [-9, 0, 9]], [[0, 2, 1], [0, 3, 2]])
    0
    >>> moved = level.move_and_slide(0.5, [0, 1, 0], [1, -2, 0])
    >>> moved.gap_proved, moved.stopped, round(moved.position[1], 2)
    (True, 'free', 0.5)
    """

    def __init__(self, dtype: str = "float64") -> None:
        name = np.dtype(dtype).name
        if name not in ("float64", "float32"):
            raise ValueError(f"dtype: '{name}' is neither 'float64' nor 'float32'")
        self.dtype = name
        self._level: Union[_core.LevelFloat32, _core.LevelFloat64] = (
            _core.LevelFloat64() if name == "float64" else _core.LevelFloat32()
        )

    def __reduce__(self) -> Any:
        return (_level_of_parts, (self.dtype, self._level.parts()))

    def __copy__(self) -> Level:
        return _level_of_parts(self.dtype, self._level.parts())

    def __repr__(self) -> str:
        return f"Level({self.part_count} parts, {self.face_count} faces, {self.dtype})"

    @property
    def part_count(self) -> int:
        return self._level.part_count()

    @property
    def face_count(self) -> int:
        return self._level.face_count()

    def add_part(self, V: ArrayLike, F: ArrayLike, **marks: Any) -> int:
        """Adds triangles; returns the number of the part.

        ``tag``, ``layers``, ``one_sided``: a list of one value for all faces, or one for each.
        """
        return self._level.add_part(V, F, marks)

    def replace_part(self, part: int, V: ArrayLike, F: ArrayLike, **marks: Any) -> None:
        self._level.replace_part(part, V, F, marks)

    def move_part(self, part: int, V: ArrayLike) -> None:
        """The same faces at other positions: lifts, doors, platforms."""
        self._level.move_part(part, V)

    def move_and_slide(
        self,
        shape: ShapeLike,
        start: ArrayLike,
        displacement: ArrayLike,
        **options: Any,
    ) -> MoveResult:
        """Moves the shape by the displacement, or as far along what it meets as that allows.

        Options: ``skin``, ``layers``, ``mover`` (one of :data:`MOVERS`).
        """
        return _moved(
            self._level.move_and_slide(_shape(shape), start, displacement, options)
        )

    def move_and_climb(
        self,
        shape: ShapeLike,
        start: ArrayLike,
        displacement: ArrayLike,
        **options: Any,
    ) -> ClimbResult:
        """The same with slopes that are too steep, and stairs.

        Options: ``step_height``, ``up`` ((0, 1, 0)), ``least_upward`` (0.7), ``skin``, ``layers``.
        """
        action, climbed, steep_count, moved = self._level.move_and_climb(
            _shape(shape), start, displacement, options
        )
        return ClimbResult(action, climbed, steep_count, _moved(moved))

    def snap_to_ground(
        self,
        shape: ShapeLike,
        start: ArrayLike,
        distance: float,
        **options: Any,
    ) -> SnapResult:
        """Straight down to the ground; options as of :meth:`move_and_climb`."""
        action, position, gap_proved, dropped, ground = self._level.snap_to_ground(
            _shape(shape), start, distance, options
        )
        return SnapResult(action, position, gap_proved, dropped, _touch(ground))

    def first_contact(
        self,
        shape: ShapeLike,
        start: ArrayLike,
        displacement: ArrayLike,
        **options: Any,
    ) -> SweepResult:
        """The first contact of a sweep, never late. Options: ``margin``, ``layers``."""
        verdict, lower, upper, met, contact = self._level.first_contact(
            _shape(shape), start, displacement, options
        )
        return SweepResult(Verdict(verdict), lower, upper, met, _touch(contact))

    def smallest_gap(
        self,
        shape: ShapeLike,
        centre: ArrayLike,
        reach: float,
        layers: int = 0xFFFFFFFF,
    ) -> GapResult:
        """The nearest face within ``reach``, with a proved lower bound of the gap."""
        found, gap, contact = self._level.smallest_gap(_shape(shape), centre, reach, layers)
        return GapResult(found, gap, _touch(contact))


def _level_of_parts(dtype: str, parts: Sequence[Tuple[Any, ...]]) -> Level:
    level = Level(dtype)
    for V, F, tag, layers, one_sided in parts:
        level.add_part(V, F, tag=tag, layers=layers, one_sided=one_sided)
    return level


class Character:
    """A character of one shape in a level: walks, climbs steps, stays on the ground.

    >>> import graze
    >>> level = graze.slide.Level("float32")
    >>> level.add_part([[-9, 0, -9], [9, 0, -9], [9, 0, 9], [-9, 0, 9]], [[0, 2, 1], [0, 3, 2]])
    0
    >>> walker = graze.slide.Character(level, 0.5, (0, 0.6, 0), step_height=0.3)
    >>> for frame in range(60):
    ...     result = walker.move((0.05, 0, 0))
    >>> walker.on_ground, round(walker.position[0], 3)
    (True, 3.0)
    """

    def __init__(
        self,
        level: Level,
        shape: ShapeLike,
        position: Sequence[float],
        *,
        step_height: float = 0.0,
        up: Sequence[float] = (0.0, 1.0, 0.0),
        least_upward: float = 0.7,
        skin: float = 0.0,
    ) -> None:
        x, y, z = (float(c) for c in position)
        self.level = level
        self.shape = shape
        self.position: Vector = (x, y, z)
        self.on_ground = False
        self._options: Dict[str, Any] = {
            "step_height": step_height,
            "up": tuple(map(float, up)),
            "least_upward": least_upward,
            "skin": skin,
        }
        self._snap = max(step_height, float(np.min(_shape(shape)[0])) / 4)

    def move(self, displacement: ArrayLike) -> ClimbResult:
        """One frame: moves and climbs, then down to the ground unless it moves up."""
        result = self.level.move_and_climb(
            self.shape, self.position, displacement, **self._options
        )
        self.position = result.moved.position
        self.on_ground = False
        if float(np.dot(np.asarray(displacement, float), self._options["up"])) <= 0:
            snapped = self.level.snap_to_ground(
                self.shape, self.position, self._snap, **self._options
            )
            self.on_ground = snapped.action in ("on-ground", "snapped")
            if snapped.gap_proved:
                self.position = snapped.position
        return result
