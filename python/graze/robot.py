"""Robots: is a motion free of collision, proved over the whole of each segment?

>>> import graze
>>> arm = graze.robot.Robot.generated("arm")
>>> scene = graze.robot.Scene(arm, {"passage": graze.robot.environment("passage")})
>>> scene.certify_path(graze.robot.generated_path("arm")).is_free
True
>>> blocked = scene.certify_path(graze.robot.generated_path("blocked")).segments[0]
>>> blocked.verdict, blocked.contact.b.name
(<Verdict.CONTACT: 1>, 'passage')
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._types import ArrayLike, Vector, Verdict
from .errors import UnsupportedError
from .rigid import IDENTITY, Body, Pose, _pose, _row

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Mesh:
    body: Body
    pose: Pose = IDENTITY

    def _given(self) -> Tuple[Any, ...]:
        return ("mesh", self.body._body, _row(self.pose))


@dataclass(frozen=True)
class Box:
    half_sizes: Vector
    pose: Pose = IDENTITY

    def _given(self) -> Tuple[Any, ...]:
        return ("box", [float(x) for x in self.half_sizes], _row(self.pose))


@dataclass(frozen=True)
class Cylinder:
    """Along z of its pose."""

    radius: float
    half_height: float
    pose: Pose = IDENTITY

    def _given(self) -> Tuple[Any, ...]:
        return ("cylinder", [float(self.radius), float(self.half_height)], _row(self.pose))


@dataclass(frozen=True)
class Sphere:
    radius: float
    pose: Pose = IDENTITY

    def _given(self) -> Tuple[Any, ...]:
        return ("sphere", [float(self.radius)], _row(self.pose))


Geometry = Union[Mesh, Box, Cylinder, Sphere]


@dataclass(frozen=True)
class Joint:
    """``mimic``: (name of a joint, multiplier, offset)."""

    name: str
    kind: str  #: fixed, revolute, continuous or prismatic
    parent: str
    child: str
    origin: Pose = IDENTITY
    axis: Vector = (1.0, 0.0, 0.0)
    lower: float = float("-inf")
    upper: float = float("inf")
    mimic: Optional[Tuple[str, float, float]] = None


@dataclass(frozen=True)
class Variable:
    """A joint with a value of its own."""

    name: str
    kind: str
    lower: float
    upper: float


def _index(names: Sequence[str], name: str, what: str) -> int:
    try:
        return names.index(name)
    except ValueError:
        raise ValueError(f"there is no {what} {name!r}") from None


class Robot:
    """Links that hang on each other by joints.

    >>> import graze
    >>> from graze.robot import Box, Joint, Robot
    >>> Robot("r", {"a": [], "b": [Box((1, 1, 1))]}, [Joint("j", "continuous", "a", "b")])
    Robot('r', 2 links, 1 variable)
    """

    def __init__(
        self, name: str, links: Mapping[str, Sequence[Geometry]], joints: Sequence[Joint]
    ) -> None:
        link_names = list(links)
        joint_names = [joint.name for joint in joints]
        rows: List[Tuple[Any, ...]] = []
        for joint in joints:
            mimic = None
            if joint.mimic is not None:
                leader, multiplier, offset = joint.mimic
                mimic = (_index(joint_names, leader, "joint"), float(multiplier), float(offset))
            rows.append(
                (
                    joint.name,
                    joint.kind,
                    _index(link_names, joint.parent, "link"),
                    _index(link_names, joint.child, "link"),
                    _row(joint.origin),
                    [float(x) for x in joint.axis],
                    float(joint.lower),
                    float(joint.upper),
                    mimic,
                )
            )
        shapes = [(link, [g._given() for g in geometry]) for link, geometry in links.items()]
        self._take(_core.Robot(name, shapes, rows), [])

    def _take(self, robot: _core.Robot, warnings: Sequence[str]) -> None:
        self._robot = robot
        #: Lines about what was odd in a file that it was read from.
        self.warnings: List[str] = list(warnings)
        self.name, self.links, variables = robot.names()
        self.variables = [Variable(*row) for row in variables]

    @classmethod
    def _of(cls, robot: _core.Robot, warnings: Sequence[str] = ()) -> Robot:
        made = cls.__new__(cls)
        made._take(robot, warnings)
        return made

    @staticmethod
    def from_urdf(path: Path, packages: Optional[Mapping[str, Path]] = None) -> Robot:
        """From a URDF file; ``packages``: the folder of each ``package://NAME/``."""
        if not hasattr(_core, "robot_from_urdf"):
            raise UnsupportedError("this module was built without urdfdom (GRAZE_BUILD_URDF)")
        folders = [(name, os.fspath(folder)) for name, folder in (packages or {}).items()]
        return Robot._of(*_core.robot_from_urdf(os.fspath(path), folders))

    @staticmethod
    def generated(name: str, triangles: int = 0) -> Robot:
        """One of ours: ``"arm"`` or ``"torso"``."""
        return Robot._of(_core.generated_robot(name, triangles))

    def link_poses(self, q: ArrayLike) -> Dict[str, Pose]:
        """Every link in the frame of the root, to some ulps."""
        rows = self._robot.link_poses(_values(q))
        return {link: _pose(row) for link, row in zip(self.links, rows)}

    def check(self, q: ArrayLike) -> None:
        """An error where a value is not finite or beyond its limits."""
        self._robot.check(_values(q))

    def __repr__(self) -> str:
        count = len(self.variables)
        return (
            f"Robot({self.name!r}, {len(self.links)} links, "
            f"{count} variable{'' if count == 1 else 's'})"
        )


def _values(q: ArrayLike) -> List[float]:
    return [float(x) for x in np.asarray(q, dtype=np.float64).ravel()]


@dataclass(frozen=True)
class Party:
    """Who is in contact: a link, or what stands around."""

    name: str
    is_link: bool
    geometry: int
    triangle: Optional[int]


@dataclass(frozen=True)
class Contact:
    """Point and normal are estimates in the world, at ``toi_lower``; the normal leads from b to a."""

    a: Party
    b: Party
    point: Vector
    normal: Vector


@dataclass(frozen=True)
class SegmentResult:
    """[0, toi_lower) of the segment is proved free."""

    verdict: Verdict
    toi_lower: float
    toi_upper: float
    contact: Optional[Contact]
    clearance_lower: float
    checks: int


@dataclass(frozen=True)
class PathResult:
    """``free_length``: 2.25 is a quarter into the third segment."""

    segments: List[SegmentResult]
    is_free: bool
    free_length: float


def _segment(row: Tuple[Any, ...]) -> SegmentResult:
    verdict, lower, upper, contact, clearance, checks = row
    if contact is not None:
        a, b, point, normal = contact
        contact = Contact(Party(*a), Party(*b), point, normal)
    return SegmentResult(Verdict(verdict), lower, upper, contact, clearance, checks)


class Scene:
    """A robot and what stands around it, by name: a :class:`Body` or a shape.

    Options: ``margin``; ``allowed``, pairs of links that may touch; ``derive_allowed``, whether
    neighbours and links that touch at ``rest`` may too; ``on_environment``, links that may touch
    what stands around. Calls may come from several threads at once.
    """

    def __init__(
        self,
        robot: Robot,
        environment: Optional[Mapping[str, Union[Body, Geometry]]] = None,
        **options: Any,
    ) -> None:
        self.robot = robot
        shapes = [
            (name, (Mesh(shape) if isinstance(shape, Body) else shape)._given())
            for name, shape in (environment or {}).items()
        ]
        if options.get("rest") is not None:
            options["rest"] = _values(options["rest"])
        self._scene = _core.RobotScene(robot._robot, shapes, options)

    @property
    def allowed(self) -> List[Tuple[str, str]]:
        return self._scene.allowed()

    def check_motion(self, start: ArrayLike, end: ArrayLike, **options: Any) -> SegmentResult:
        """Options: ``time_width``, ``max_checks``, ``clearance_accuracy``."""
        return _segment(self._scene.check_motion(_values(start), _values(end), options))

    def check_state(self, q: ArrayLike, **options: Any) -> SegmentResult:
        return _segment(self._scene.check_state(_values(q), options))

    def certify_path(
        self, waypoints: ArrayLike, threads: int = 1, **options: Any
    ) -> PathResult:
        """Linear segments between the rows of ``waypoints``."""
        rows = [_values(q) for q in waypoints]
        segments, is_free, free_length = self._scene.certify_path(rows, threads, options)
        return PathResult([_segment(row) for row in segments], is_free, free_length)


def read_srdf(path: Path) -> List[Tuple[str, str]]:
    """The pairs of links that an SRDF file allows to touch."""
    if not hasattr(_core, "srdf_pairs"):
        raise UnsupportedError("this module was built without urdfdom (GRAZE_BUILD_URDF)")
    return _core.srdf_pairs(os.fspath(path))


def environment(name: str, triangles: int = 0) -> Body:
    """One of ours: ``"shelf"``, ``"passage"`` or ``"table"``."""
    return Body._of(_core.generated_environment(name, triangles))


def generated_path(name: str) -> np.ndarray[Any, Any]:
    """Waypoints of ``"arm"`` or ``"torso"``, free in every environment; ``"blocked"``: of the arm,
    through the wall of the passage."""
    return np.array(_core.generated_path(name))
