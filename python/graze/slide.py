"""A ball, ellipsoid, capsule or rounded box that slides over a level of triangles, with a proved gap
after every move; worlds of parts that move, and characters in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._types import ArrayLike, Vector, Verdict
from .rigid import Pose, _row

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


@dataclass(frozen=True)
class NearestPoint:
    """Nothing is nearer than ``distance_lower``; the normal of the contact leads to the point."""

    found: bool
    distance_lower: float
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


@dataclass(frozen=True)
class RoundedBox:
    """A box whose faces are ``half_extents`` from its centre, with edges rounded by a ball of radius
    ``rounding``, at most the least half extent; ``rotation`` is a quaternion w, x, y, z.

    >>> import graze
    >>> level = graze.slide.Level()
    >>> level.add_part([[-9, 0, -9], [9, 0, -9], [9, 0, 9], [-9, 0, 9]], [[0, 2, 1], [0, 3, 2]])
    0
    >>> crate = graze.slide.RoundedBox((0.5, 0.25, 0.5), 0.125)
    >>> moved = level.move_and_slide(crate, [0, 1, 0], [1, -2, 0])
    >>> moved.gap_proved, round(moved.position[1], 2)
    (True, 0.25)
    """

    half_extents: Vector
    rounding: float
    rotation: Tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        if not 0.0 < self.rounding <= min(map(float, self.half_extents)) < np.inf:
            raise ValueError(
                f"rounding: is {self.rounding}, not > 0 and at most each of {self.half_extents}"
            )
        if not np.isfinite(np.asarray(self.rotation, float)).all() or not any(self.rotation):
            raise ValueError(f"rotation: {self.rotation} is none")


#: A radius, three radii, or a shape.
ShapeLike = Union[float, ArrayLike, Shape, RoundedBox]


def _shape(shape: ShapeLike) -> Tuple[Any, ...]:
    if isinstance(shape, RoundedBox):
        return tuple(shape.half_extents), float(shape.rounding), list(map(float, shape.rotation))
    if isinstance(shape, Shape):
        return shape.radii, shape.half_axis
    return (np.full(3, float(shape)) if np.ndim(shape) == 0 else shape), np.zeros(3)


class _Obstacles:
    """What a :class:`Level` and a :class:`World` can be asked."""

    _searched: Union[_core.LevelFloat64, _core.WorldFloat64]

    @property
    def part_count(self) -> int:
        return self._searched.part_count()

    @property
    def face_count(self) -> int:
        return self._searched.face_count()

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
            self._searched.move_and_slide(_shape(shape), start, displacement, options)
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
        action, climbed, steep_count, moved = self._searched.move_and_climb(
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
        action, position, gap_proved, dropped, ground = self._searched.snap_to_ground(
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
        verdict, lower, upper, met, contact = self._searched.first_contact(
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
        found, gap, contact = self._searched.smallest_gap(_shape(shape), centre, reach, layers)
        return GapResult(found, gap, _touch(contact))

    def overlap_at(
        self,
        shape: ShapeLike,
        centre: ArrayLike,
        margin: float = 0.0,
        layers: int = 0xFFFFFFFF,
    ) -> Verdict:
        """Is the shape clear of everything by at least the margin? ``SEPARATED`` is a proof."""
        return Verdict(self._searched.overlap_at(_shape(shape), centre, margin, layers))

    def cast_ray(
        self, origin: ArrayLike, displacement: ArrayLike, layers: int = 0xFFFFFFFF
    ) -> SweepResult:
        """The first thing on a ray, never missed and never late."""
        verdict, lower, upper, met, contact = self._searched.cast_ray(
            origin, displacement, layers
        )
        return SweepResult(Verdict(verdict), lower, upper, met, _touch(contact))

    def nearest_point(
        self, point: ArrayLike, reach: float, layers: int = 0xFFFFFFFF
    ) -> NearestPoint:
        """The nearest point within ``reach``, with a proved lower bound of its distance."""
        found, distance, contact = self._searched.nearest_point(point, reach, layers)
        return NearestPoint(found, distance, _touch(contact))


class Level(_Obstacles):
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
        self._searched = self._level

    def __reduce__(self) -> Any:
        return (_level_of_parts, (self.dtype, self._level.parts()))

    def __copy__(self) -> Level:
        return _level_of_parts(self.dtype, self._level.parts())

    def __repr__(self) -> str:
        return f"Level({self.part_count} parts, {self.face_count} faces, {self.dtype})"

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


@dataclass(frozen=True)
class CharacterFrame:
    """One frame of a :class:`CapsuleCharacter`.

    ``ride``: what moving parts did, unmoved, carried, pushed, crushed, limit or unproved; proved up to
    ``ride_time`` of the frame, and at most ``overlap`` deep in the world at its end.
    """

    feet: Vector
    gap_proved: bool
    skin: float
    on_ground: bool
    landed: bool
    left_ground: bool
    climbed: bool
    hit_ceiling: bool
    held_at_ledge: bool
    ground: Optional[Touch]
    ride: str
    ride_time: float
    overlap: float

    @property
    def is_crushed(self) -> bool:
        return self.ride == "crushed"


class World(_Obstacles):
    """Instances of meshes, spheres, capsules, boxes and height fields, each with a pose, any of which may
    move in every frame. It answers what a :class:`Level` answers.

    Call :meth:`update` once per frame, after parts were moved, and :meth:`CapsuleCharacter.move` after it.

    >>> import graze
    >>> world = graze.slide.World("float32")
    >>> floor = world.add_mesh([[-9, 0, -9], [9, 0, -9], [9, 0, 9], [-9, 0, 9]], [[0, 2, 1], [0, 3, 2]])
    >>> lift = world.add_part(floor)
    >>> world.update()
    >>> hero = graze.slide.CapsuleCharacter(world, 0.4, 1.8, feet=(0, 0.1, 0))
    >>> hero.move((0, -0.2, 0)).landed
    True
    >>> world.move_part(lift, graze.rigid.Pose(translation=(0, 0.5, 0)))
    >>> world.update()
    >>> hero.move((0.1, -0.1, 0)).ride, round(hero.feet[1], 1)
    ('carried', 0.5)
    """

    def __init__(self, dtype: str = "float64") -> None:
        name = np.dtype(dtype).name
        if name not in ("float64", "float32"):
            raise ValueError(f"dtype: '{name}' is neither 'float64' nor 'float32'")
        self.dtype = name
        self._world: Union[_core.WorldFloat32, _core.WorldFloat64] = (
            _core.WorldFloat64() if name == "float64" else _core.WorldFloat32()
        )
        self._searched = self._world

    def add_mesh(self, V: ArrayLike, F: ArrayLike, **marks: Any) -> int:
        """Triangles for parts; marks as of :meth:`Level.add_part`. Returns the number of the mesh."""
        return self._world.add_mesh(V, F, marks)

    def add_sphere(self, radius: float, **marks: Any) -> int:
        """All within the radius of the origin: round, and solid. Returns a number as :meth:`add_mesh` does.

        Marks: ``tag``, ``layers``, one number each.

        >>> import graze
        >>> world = graze.slide.World()
        >>> ball = world.add_part(world.add_sphere(1.0), graze.rigid.Pose(translation=(5, 0, 0)))
        >>> world.update()
        >>> round(world.cast_ray((0, 0, 0), (10, 0, 0)).toi_lower, 4)
        0.4
        """
        return self._world.add_sphere(radius, marks)

    def add_capsule(self, radius: float, half_height: float, **marks: Any) -> int:
        """The same around the points of the y axis up to ``half_height`` from the origin."""
        return self._world.add_capsule(radius, half_height, marks)

    def add_box(self, half_extents: ArrayLike, **marks: Any) -> int:
        """Twelve triangles around the origin, and all between them. Marks as of :meth:`add_sphere`."""
        return self._world.add_box(half_extents, marks)

    def add_height_field(
        self, heights: ArrayLike, spacing: Tuple[float, float] = (1.0, 1.0), **marks: Any
    ) -> int:
        """A surface: ``heights[r, c]`` is at x = c ``spacing[0]``, z = r ``spacing[1]``; NaN is a hole.

        Marks: as of :meth:`add_mesh`, for all faces or two for each cell.
        """
        return self._world.add_height_field(heights, spacing, marks)

    def add_part(self, mesh: int, pose: Pose = Pose(), layers: int = 0xFFFFFFFF) -> int:
        """An instance of a mesh. Returns the number of the part, which is not used again."""
        return self._world.add_part(mesh, _row(pose), layers)

    def remove_part(self, part: int) -> None:
        self._world.remove_part(part)

    def set_layers(self, part: int, layers: int) -> None:
        self._world.set_layers(part, layers)

    def move_part(self, part: int, pose: Pose, pivot: Sequence[float] = (0.0, 0.0, 0.0)) -> None:
        """Moves there in the next frame, rotating about ``pivot``; it carries and pushes."""
        self._world.move_part(part, _row(pose), pivot)

    def place_part(self, part: int, pose: Pose) -> None:
        """Is there in the next frame, without having moved."""
        self._world.place_part(part, _row(pose))

    def update(self) -> None:
        """The next frame."""
        self._world.update()

    @property
    def frame(self) -> int:
        """How often :meth:`update` was called."""
        return self._world.frame()


class CapsuleCharacter:
    """An upright capsule that walks in a :class:`World`, climbs steps, rides and is pushed.

    Options: ``up`` ((0, 1, 0)), ``least_upward`` (0.7), ``step_height`` (a fifth of the height),
    ``snap_distance`` (a step), ``stops_at_ledges``, ``skin``, ``layers``.
    """

    def __init__(
        self, world: World, radius: float, height: float, feet: Sequence[float], **options: Any
    ) -> None:
        if not 0.0 < radius < np.inf:
            raise ValueError(f"radius: is {radius}, not > 0")
        self.world = world
        made = _core.CharacterFloat64 if world.dtype == "float64" else _core.CharacterFloat32
        self._character = made(radius, height, feet, options)

    def move(self, displacement: ArrayLike) -> CharacterFrame:
        """One frame: rides what moved, then moves by the displacement; gravity is the caller's."""
        values = list(self._character.move(self.world._world, displacement))
        ground = 9
        values[ground] = _touch(values[ground])
        return CharacterFrame(*values)

    def change_body(self, radius: float, height: float) -> bool:
        """Crouches, or gets up: only where there is room for it."""
        return self._character.change_body(self.world._world, radius, height)

    def teleport(self, feet: Sequence[float]) -> None:
        """Elsewhere, without a move."""
        self._character.teleport(feet)

    @property
    def feet(self) -> Vector:
        """The lowest point."""
        return self._character.feet()

    @property
    def on_ground(self) -> bool:
        return self._character.on_ground()
