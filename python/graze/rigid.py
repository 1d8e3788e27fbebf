"""Rigid bodies on the screw between two poses: the first impact by proof, for the curved path."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._types import ArrayLike, Vector, Verdict
from .io import polygons

Array = np.ndarray[Any, Any]

#: The dtype of rows of collisions.
CONTACT: np.dtype[Any] = _core.CONTACT
#: The names of contact types, by number: features of A and of B.
CONTACT_TYPES = ("vf", "fv", "ee", "ff")


@dataclass(frozen=True)
class Pose:
    """The map x -> q x q^-1 + translation; ``rotation`` is a quaternion w, x, y, z.

    >>> import math
    >>> quarter = Pose.about([0, 0, 1], math.pi / 2)
    >>> quarter.apply([[1, 0, 0]]).round(12).tolist()
    [[0.0, 1.0, 0.0]]
    """

    rotation: Tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    translation: Vector = (0.0, 0.0, 0.0)

    @staticmethod
    def about(axis: ArrayLike, angle: float, translation: Sequence[float] = (0, 0, 0)) -> Pose:
        """A rotation by ``angle`` [radians] about ``axis``, then a translation."""
        x, y, z = (float(c) for c in translation)
        return Pose(_core.rotation_about(axis, angle), (x, y, z))

    @staticmethod
    def from_matrix(matrix: ArrayLike) -> Pose:
        """From a 3 x 4 or 4 x 4 matrix [R | t] that acts on columns."""
        return _pose(_core.pose_from_matrix(matrix))

    def matrix(self) -> Array:
        return _core.pose_matrix(_row(self))

    def apply(self, points: ArrayLike) -> Array:
        """The points (n, 3) after the motion, to the nearest doubles."""
        return _core.pose_apply(_row(self), points)

    def inverse(self) -> Pose:
        return _pose(_core.pose_inverse(_row(self)))

    def __matmul__(self, other: Pose) -> Pose:
        """x -> self(other(x))."""
        return _pose(_core.pose_compose(_row(self), _row(other)))


IDENTITY = Pose()


def _row(pose: Pose) -> List[float]:
    return [*map(float, pose.rotation), *map(float, pose.translation)]


def _pose(row: Sequence[float]) -> Pose:
    w, x, y, z, tx, ty, tz = row
    return Pose((w, x, y, z), (tx, ty, tz))


@dataclass(frozen=True)
class BodyStep:
    """Where a body is at both ends of a step; it moves on the screw between them."""

    start: Pose
    end: Pose

    @staticmethod
    def rest(pose: Pose = IDENTITY) -> BodyStep:
        return BodyStep(pose, pose)

    def at(self, t: float) -> Pose:
        """The pose at time t of a body that moves alone."""
        return _pose(_core.pose_at(_row(self.start), _row(self.end), t))


def _steps(a: BodyStep, b: BodyStep) -> List[List[float]]:
    return [_row(a.start), _row(a.end), _row(b.start), _row(b.end)]


def _body_steps(rows: Sequence[Sequence[float]]) -> Tuple[BodyStep, BodyStep]:
    a, b, c, d = map(_pose, rows)
    return BodyStep(a, b), BodyStep(c, d)


class Body:
    """A polygon surface, prepared for searches.

    ``F``: triangles (m, 3), or polygons as lists of vertex numbers, counterclockwise as seen from
    outside. Pickled and copied by its vertices and faces.

    >>> import graze
    >>> cube = graze.rigid.Body(*graze.generate.model("cube"))
    >>> cube
    Body(8 vertices, 6 faces)
    """

    def __init__(self, V: ArrayLike, F: Union[ArrayLike, Sequence[Sequence[int]]]) -> None:
        counts, corners = polygons(F)
        self._body = _core.RigidBody(V, counts, corners)
        #: Lines about what was odd in a file that it was read from.
        self.warnings: List[str] = []

    @classmethod
    def _of(cls, body: _core.RigidBody, warnings: Sequence[str] = ()) -> Body:
        made = cls.__new__(cls)
        made._body = body
        made.warnings = list(warnings)
        return made

    @staticmethod
    def read(path: Union[str, "os.PathLike[str]"], orient: bool = False) -> Body:
        """From OBJ, PLY or STL; ``orient`` reverses faces that are wound the wrong way round."""
        return Body._of(*_core.read_body(os.fspath(path), orient))

    @property
    def vertices(self) -> Array:
        return self._body.parts()[0]

    @property
    def faces(self) -> List[Array]:
        _, counts, corners = self._body.parts()
        return np.split(corners, np.cumsum(counts)[:-1])

    @property
    def triangles(self) -> Array:
        return self._body.triangles()

    @property
    def is_closed(self) -> bool:
        return self._body.is_closed()

    @property
    def report(self) -> str:
        """What is odd about the surface, in one line; empty where nothing is."""
        return self._body.report()

    def oriented(self) -> Body:
        """The same body with every face reversed that is wound the wrong way round."""
        return Body._of(self._body.oriented())

    def __reduce__(self) -> Any:
        return (_body_from_parts, self._body.parts())

    def __repr__(self) -> str:
        return f"Body({len(self.vertices)} vertices, {self._body.face_count()} faces)"


def _body_from_parts(V: Array, counts: Array, corners: Array) -> Body:
    return Body._of(_core.RigidBody(V, counts, corners))


@dataclass(frozen=True)
class Contact:
    """Features that meet; point and normal are estimates in the world, at ``time``."""

    type: str
    a: int
    b: int
    time: float
    point: Vector
    normal: Vector
    properness: float
    time_lower: float
    time_upper: float


@dataclass(frozen=True)
class ImpactResult:
    """The first impact of two bodies; [0, toi_lower) is proved free."""

    verdict: Verdict
    toi_lower: float
    toi_upper: float
    start: str  #: separated, contact, a-inside-b, b-inside-a or unresolved
    contact: Optional[Contact]
    checks: int


def _contact(row: Optional[Tuple[Any, ...]]) -> Optional[Contact]:
    return None if row is None else Contact(*row)


def _impact(row: Tuple[Any, ...]) -> ImpactResult:
    verdict, lower, upper, start, contact, checks = row
    return ImpactResult(Verdict(verdict), lower, upper, start, _contact(contact), checks)


def first_impact(
    a: Body, b: Body, step_a: BodyStep, step_b: BodyStep, **options: Any
) -> ImpactResult:
    """The first contact of two bodies, proved for their true curved paths.

    Options: ``min_separation`` (0.0), ``time_width`` (1e-9), ``t_max`` (1.0), ``max_checks``
    (100,000,000), ``model``: ``"solid"`` or ``"surface"``.

    >>> import graze
    >>> from graze.rigid import Body, BodyStep, Pose
    >>> cube = Body(*graze.generate.model("cube"))
    >>> fall = BodyStep(Pose(translation=(0, 0, 3)), Pose(translation=(0, 0, 0)))
    >>> r = graze.rigid.first_impact(cube, cube, fall, BodyStep.rest())
    >>> r.verdict.name, round(r.toi_upper, 6)
    ('CONTACT', 0.666667)
    """
    return _impact(_core.rigid_first_impact(a._body, b._body, _steps(step_a, step_b), options))


@dataclass(frozen=True, eq=False)
class AllImpacts:
    """``collisions``: rows of dtype :data:`CONTACT`, in the world, sorted by time."""

    collisions: Array
    complete: bool
    checks: int


def all_impacts(
    a: Body, b: Body, step_a: BodyStep, step_b: BodyStep, **options: Any
) -> AllImpacts:
    """Every crossing of features, with a proved bracket of its time.

    Options as of :func:`first_impact`, and ``min_properness`` (-0.1).
    """
    return AllImpacts(
        *_core.rigid_all_impacts(a._body, b._body, _steps(step_a, step_b), options)
    )


@dataclass(frozen=True, eq=False)
class RasterCollisions:
    """Approximate collisions, in the world, sorted by time; nothing is proved."""

    collisions: Array
    may_miss: bool


def raster_collisions(
    a: Body, b: Body, step_a: BodyStep, step_b: BodyStep, **options: Any
) -> RasterCollisions:
    """All collisions by the raster search, fast and not proved.

    Options: ``pixel``, ``time_resolution``, ``min_properness`` (-0.1), ``robust`` (False).
    """
    return RasterCollisions(
        *_core.rigid_raster(a._body, b._body, _steps(step_a, step_b), options)
    )


@dataclass(frozen=True, eq=False)
class PixelCollisions:
    """Collisions by pixels, in the world, sorted by time; nothing is proved, any may be missed.

    ``drawn``: the records of pixels on the screen, where they were asked for: r, h_min, h_max,
    of_a, vertex, virtual_edge.
    """

    collisions: Array
    statistics: Dict[str, Any]
    drawn: Optional[Array] = field(default=None, repr=False)


def pixel_collisions(
    a: Body, b: Body, step_a: BodyStep, step_b: BodyStep, **options: Any
) -> PixelCollisions:
    """All collisions by pixels as published (Buss 2005): to compare with, and for pictures.

    Options: ``pixel``, ``time_resolution``, ``min_properness`` (-0.1), ``max_pixels``,
    ``max_pairs``, ``drawn`` (False).

    >>> import graze
    >>> from graze.rigid import Body, BodyStep, Pose
    >>> cube = Body(*graze.generate.model("cube"))
    >>> swing = BodyStep(Pose.about([1, 1, 0], 0.3, (0, 0, 3)), Pose.about([1, 1, 0], 0.4))
    >>> found = graze.rigid.pixel_collisions(cube, cube, swing, BodyStep.rest(), drawn=True)
    >>> len(found.collisions) > 0, len(found.drawn) > 0
    (True, True)
    """
    return PixelCollisions(*_core.rigid_pixels(a._body, b._body, _steps(step_a, step_b), options))


def start_state(a: Body, pose_a: Pose, b: Body, pose_b: Pose) -> str:
    """Do two bodies touch, or is one inside the other, at these poses? Exact."""
    return _core.rigid_start_state(a._body, _row(pose_a), b._body, _row(pose_b))


@dataclass(frozen=True)
class Nearest:
    """The nearest faces and points, in the world: estimates."""

    face_a: int
    face_b: int
    on_a: Vector
    on_b: Vector


@dataclass(frozen=True)
class DistanceResult:
    """The distance is proved to be in [lower, upper]."""

    lower: float
    upper: float
    state: str
    nearest: Optional[Nearest]


def distance(a: Body, pose_a: Pose, b: Body, pose_b: Pose, **options: Any) -> DistanceResult:
    """How far are two bodies from each other at these poses? A proved bracket.

    Options: ``relative_width`` (1e-9), ``max_checks``, ``model``.
    """
    lower, upper, state, nearest = _core.rigid_distance(
        a._body, _row(pose_a), b._body, _row(pose_b), options
    )
    return DistanceResult(lower, upper, state, None if nearest is None else Nearest(*nearest))


@dataclass(frozen=True, eq=False)
class Obstruction:
    """A pair that obstructed each other."""

    first: int
    second: int
    free: float
    impact: ImpactResult
    contact: Optional[Contact]
    collisions: Array = field(repr=False)
    steps: Tuple[BodyStep, BodyStep]  #: the motion that was searched, of either body


def _obstructions(rows: Sequence[Tuple[Any, ...]]) -> List[Obstruction]:
    return [
        Obstruction(
            first, second, free, _impact(impact), _contact(contact), collisions, _body_steps(step)
        )
        for first, second, free, impact, contact, collisions, step in rows
    ]


@dataclass(frozen=True, eq=False)
class StepReport:
    """``fractions``: by body, how much of the path to its target was taken."""

    fractions: List[float]
    obstructions: List[Obstruction]
    searches: int


class SafeStepper:
    """Many bodies, many steps: no pose ever overlaps, whatever the targets.

    ``pairs``: which bodies can meet; all of them by default. Options: ``search``
    (``"certified"`` or ``"robust"``), ``min_separation``, ``target_separation``, ``max_checks``,
    ``list_collisions``, ``taken_fraction``, ``max_rounds``, ``model``.

    >>> import graze
    >>> from graze.rigid import Body, Pose, SafeStepper
    >>> cube = Body(*graze.generate.model("cube"))
    >>> stepper = SafeStepper([cube, cube], [Pose(), Pose(translation=(0, 0, 3))])
    >>> report = stepper.step([Pose(), Pose(translation=(0, 0, 0))])
    >>> 1 < stepper.poses[1].translation[2] < 3, len(report.obstructions)
    (True, 1)
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        start: Sequence[Pose],
        pairs: Optional[ArrayLike] = None,
        **options: Any,
    ) -> None:
        self._stepper = _core.BodyStepper(
            [body._body for body in bodies], [_row(pose) for pose in start], pairs, options
        )

    @property
    def poses(self) -> List[Pose]:
        """The last good poses."""
        return [_pose(row) for row in self._stepper.poses()]

    def step(self, targets: Sequence[Pose]) -> StepReport:
        """Moves every body towards its target as far as the path is found free."""
        fractions, rows, searches = self._stepper.step([_row(pose) for pose in targets])
        return StepReport(list(fractions), _obstructions(rows), searches)

    def search(self, targets: Sequence[Pose]) -> List[Obstruction]:
        """What obstructs the paths to the targets; moves nothing."""
        return _obstructions(self._stepper.search([_row(pose) for pose in targets]))


# --- impulses -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mass:
    """The centre of mass is the origin of the body's frame, whose axes are the principal ones."""

    inverse_mass: float = 0.0  #: 0: the body never moves
    inverse_inertia: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Velocity:
    """Of the origin of the body's frame; both in the world."""

    linear: Vector = (0.0, 0.0, 0.0)
    angular: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class ImpulseContact:
    """A point where two bodies push each other, in the world."""

    first: int
    second: int
    position: Vector
    normal: Vector  #: of unit length, from the first body to the second
    pose_first: Pose
    pose_second: Pose
    least_separation_rate: float = 0.0


@dataclass(frozen=True, eq=False)
class ImpulseReport:
    """``velocities`` afterwards, by body; ``impulses`` along the normals, by contact."""

    velocities: List[Velocity]
    impulses: Array
    sweeps: int
    converged: bool


def first_contacts(obstruction: Obstruction, **options: Any) -> List[ImpulseContact]:
    """The first group of simultaneous collisions of an obstruction (``list_collisions=True``).

    Options: ``min_properness`` (-0.1), ``time_gap`` (0.25).
    """
    rows = _core.rigid_first_contacts(
        (obstruction.first, obstruction.second),
        _steps(*obstruction.steps),
        obstruction.collisions,
        options,
    )
    return [
        ImpulseContact(first, second, (x, y, z), (u, v, w), _pose(p), _pose(q), rate)
        for first, second, (x, y, z), (u, v, w), p, q, rate in rows
    ]


def apply_impulses(
    contacts: Sequence[ImpulseContact],
    masses: Sequence[Mass],
    velocities: Sequence[Velocity],
    **options: Any,
) -> ImpulseReport:
    """Velocities with which every contact separates: impulses for all of them at once.

    Options: ``restitution`` (0.0), ``friction`` (0.0), ``max_sweeps`` (200), ``tolerance`` (1e-10).
    Nothing here is proved, and nothing needs to be: :class:`SafeStepper` lets no body into another.

    >>> from graze.rigid import ImpulseContact, Mass, Pose, Velocity, apply_impulses
    >>> floor = ImpulseContact(0, 1, (0, 0, 0), (0, 0, 1), Pose(), Pose(translation=(0, 0, 1)))
    >>> fall = [Velocity(), Velocity(linear=(0, 0, -2))]
    >>> report = apply_impulses([floor], [Mass(), Mass(1.0, (1, 1, 1))], fall, restitution=0.5)
    >>> report.velocities[1].linear, report.converged
    ((0.0, 0.0, 1.0), True)
    """
    rows = [
        (
            c.first,
            c.second,
            [*map(float, c.position)],
            [*map(float, c.normal)],
            _row(c.pose_first),
            _row(c.pose_second),
            float(c.least_separation_rate),
        )
        for c in contacts
    ]
    changed, impulses, sweeps, converged = _core.rigid_apply_impulses(
        rows,
        [[float(m.inverse_mass), *map(float, m.inverse_inertia)] for m in masses],
        [[*map(float, v.linear), *map(float, v.angular)] for v in velocities],
        options,
    )
    after = [Velocity((a, b, c), (d, e, f)) for a, b, c, d, e, f in changed.tolist()]
    return ImpulseReport(after, impulses, sweeps, converged)
