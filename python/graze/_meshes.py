"""Whole meshes in a time step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Optional, Tuple, Union

import numpy as np

from . import _core
from ._types import ArrayLike, Vector, Verdict

Array = np.ndarray[Any, Any]

#: The dtype of rows of impacts.
IMPACT: np.dtype[Any] = _core.IMPACT
#: The names of Intersection kinds, by number.
INTERSECTION_KINDS = ("edge-face", "vertex-face", "edge-edge", "vertex-vertex", "vertex-edge")


@dataclass(frozen=True)
class ContactPoint:
    """Where two elements touch: estimates in floating point."""

    u: float
    v: float
    on_a: Vector
    on_b: Vector
    feature_a: Tuple[str, int]
    feature_b: Tuple[str, int]
    normal: Vector
    distance_upper: float


@dataclass(frozen=True)
class Impact:
    """A pair that collides: ``kind`` "vf", "ee", "vv" or "ve"; ``a`` and ``b`` its elements."""

    kind: str
    a: int
    b: int
    verdict: Verdict
    toi_lower: float
    toi_upper: float
    tolerance: float
    checks: int


@dataclass(frozen=True)
class FirstImpact:
    """The answer for a whole step; [0, toi_lower) is free for all pairs."""

    verdict: Verdict
    toi_lower: float
    toi_upper: float
    impact: Optional[Impact]
    contact: Optional[ContactPoint]
    work: Dict[str, Any]


@dataclass(frozen=True, eq=False)
class StepImpacts:
    """Every pair that collides; ``impacts`` has dtype :data:`graze.IMPACT`."""

    verdict: Verdict
    toi_lower: float
    toi_upper: float
    impacts: Array
    first: Optional[int]
    work: Dict[str, Any]

    def __len__(self) -> int:
        return len(self.impacts)


@dataclass(frozen=True)
class StreamedImpacts:
    """What a sink has taken: how many impacts, and the answer for the whole step."""

    verdict: Verdict
    toi_lower: float
    toi_upper: float
    count: int
    work: Dict[str, Any]


@dataclass(frozen=True, eq=False)
class SafeStep:
    """``positions`` = start + fraction (end - start), proved to be reached without contact."""

    fraction: float
    positions: Array
    impact: Optional[Impact]
    contact: Optional[ContactPoint]
    proofs: int


@dataclass(frozen=True, eq=False)
class LineSearchResult:
    """``positions`` = start + alpha (end - start): free of contact, with a lower energy."""

    alpha: float
    positions: Array
    energy: float
    distance: float
    kept: float
    alpha_free: float
    evaluations: int


@dataclass(frozen=True, eq=False)
class PathStep:
    """``positions`` = position(alpha); the path was proved from each of ``knots`` to the next."""

    alpha: float
    positions: Array
    knots: Array
    impact: Optional[Impact]
    proofs: int


@dataclass(frozen=True, eq=False)
class PathLineSearchResult:
    """``positions`` = position(alpha): the path to them is free, with a lower energy."""

    alpha: float
    positions: Array
    energy: float
    alpha_free: float
    evaluations: int
    proofs: int


@dataclass(frozen=True, eq=False)
class FreeFractions:
    """``fraction`` by vertex; ``positions`` are proved to be reached freely."""

    fraction: Array
    positions: Array
    proofs: int


@dataclass(frozen=True, eq=False)
class Clearance:
    """Proved lower bounds of distances, by vertex and over all."""

    by_vertex: Array
    least: float


def _impact(row: Optional[Tuple[Any, ...]]) -> Optional[Impact]:
    if row is None:
        return None
    kind, a, b, verdict, lower, upper, tolerance, checks = row
    return Impact(kind, a, b, Verdict(verdict), lower, upper, tolerance, checks)


def _contact(row: Optional[Tuple[Any, ...]]) -> Optional[ContactPoint]:
    return None if row is None else ContactPoint(*row)


def _first_impact(row: Tuple[Any, ...]) -> FirstImpact:
    verdict, lower, upper, impact, contact, work = row
    return FirstImpact(Verdict(verdict), lower, upper, _impact(impact), _contact(contact), work)


def _all_impacts(row: Tuple[Any, ...]) -> StepImpacts:
    verdict, *rest = row
    return StepImpacts(Verdict(verdict), *rest)


def _vertex_count(V: Union[int, ArrayLike]) -> int:
    count = int(V) if isinstance(V, (int, np.integer)) else len(V)
    if not 0 <= count < 2**63:
        raise ValueError(f"V: there cannot be {count} vertices")
    return count


class MeshStepper:
    """A deformable mesh: which of its elements collide in a step, and which first?

    ``V``: the number of vertices, or their positions. ``E``: edges that belong to no face, (k, 2).
    ``F``: triangles, (m, 3). All vertices move along straight lines from ``start`` to ``end``.

    Keyword options of every call (those that make no sense for it are ignored):
    ``min_separation``, ``norm``, ``t_max``, ``time_width``, ``distance_tolerance``,
    ``max_checks``, ``method`` as of :func:`graze.ccd`; ``radius``: thickness by vertex; ``body``
    (a number by vertex) with ``within_bodies``; ``fixed``: by vertex; ``layers`` and ``mask``:
    bits by vertex; ``accepts(kind, a, b)``: any other rule of which pairs count; ``candidates``:
    what :meth:`candidates` found; ``threads``: 0 takes all cores, results do not depend on it;
    ``progress(fraction)``: returning False cancels.

    Trees and buffers are kept from step to step. Several threads may share a stepper, and take
    turns. Pickled and copied by its topology.

    >>> import graze
    >>> V = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [.5, .5, 1], [1, .5, 1], [.5, 1, 1]]
    >>> stepper = graze.MeshStepper(V, F=[[0, 1, 2], [3, 4, 5]])
    >>> target = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [.5, .5, -1], [1, .5, -1], [.5, 1, -1]]
    >>> first = stepper.first_impact(V, target)
    >>> first.verdict, round(first.toi_lower, 9), first.impact.kind
    (<Verdict.CONTACT: 1>, 0.5, 'vf')
    """

    def __init__(
        self,
        V: Union[int, ArrayLike],
        E: Optional[ArrayLike] = None,
        F: Optional[ArrayLike] = None,
    ) -> None:
        self._stepper = _core.MeshStepper(_vertex_count(V), E, F)
        self._loose = None if E is None else np.array(E, copy=True)

    def __reduce__(self) -> Any:
        return (MeshStepper, (self.vertex_count, self._loose, self.faces))

    def __repr__(self) -> str:
        return f"MeshStepper({self.vertex_count} vertices, {len(self.faces)} faces)"

    def set_topology(
        self,
        V: Union[int, ArrayLike],
        E: Optional[ArrayLike] = None,
        F: Optional[ArrayLike] = None,
    ) -> None:
        """Another mesh, as of a new stepper: faces, edges or vertices come and go.

        Candidates of before are refused. After an error the mesh is that of before.

        >>> import graze
        >>> stepper = graze.MeshStepper(3, F=[[0, 1, 2]])
        >>> stepper.set_topology(4, F=[[0, 1, 2], [2, 1, 3]])
        >>> stepper.vertex_count, len(stepper.edges)
        (4, 5)
        """
        self._stepper.set_topology(_vertex_count(V), E, F)
        self._loose = None if E is None else np.array(E, copy=True)

    @property
    def vertex_count(self) -> int:
        return self._stepper.vertex_count

    @property
    def edges(self) -> Array:
        """All edges, those of faces included: what ``a`` and ``b`` of impacts number."""
        return self._stepper.edges()

    @property
    def faces(self) -> Array:
        return self._stepper.faces()

    def first_impact(self, start: ArrayLike, end: ArrayLike, **options: Any) -> FirstImpact:
        """Whether and when anything collides; the pair with the earliest contact."""
        return _first_impact(self._stepper.first_impact(start, end, options))

    def all_impacts(self, start: ArrayLike, end: ArrayLike, **options: Any) -> StepImpacts:
        """Every pair that collides, and which is first.

        >>> import graze
        >>> stepper = graze.MeshStepper(2)
        >>> r = stepper.all_impacts([[0, 0, 0], [1, 0, 0]], [[1, 0, 0], [0, 0, 0]])
        >>> len(r), r.first, r.impacts["toi_lower"].tolist()
        (1, 0, [0.5])
        """
        return _all_impacts(self._stepper.all_impacts(start, end, options))

    def stream_impacts(
        self,
        start: ArrayLike,
        end: ArrayLike,
        sink: Callable[[Array], Any],
        **options: Any,
    ) -> StreamedImpacts:
        """Every pair that collides, while it is found: ``sink(rows)`` gets some hundred rows of
        dtype :data:`graze.IMPACT` at a time, in no order. Returning False cancels.

        >>> import graze
        >>> stepper = graze.MeshStepper(2)
        >>> batches = []
        >>> r = stepper.stream_impacts([[0, 0, 0], [1, 0, 0]], [[1, 0, 0], [0, 0, 0]],
        ...                            batches.append)
        >>> r.count, sum(map(len, batches)), r.toi_lower
        (1, 1, 0.5)
        """
        verdict, *rest = self._stepper.stream_impacts(start, end, sink, options)
        return StreamedImpacts(Verdict(verdict), *rest)

    def contacts(self, start: ArrayLike, end: ArrayLike, impacts: Array) -> Array:
        """Points and normals of rows of :meth:`all_impacts`: u, v, on_a, on_b, normal, ..."""
        return self._stepper.contacts(start, end, impacts)

    def largest_safe_step(self, start: ArrayLike, end: ArrayLike, **options: Any) -> SafeStep:
        """Positions that, as doubles, are proved to be reached without contact.

        >>> import graze
        >>> stepper = graze.MeshStepper(2)
        >>> step = stepper.largest_safe_step([[0, 0, 0], [1, 0, 0]], [[2, 0, 0], [1, 0, 0]])
        >>> 0.49 < step.fraction < 0.5
        True
        """
        fraction, positions, impact, contact, proofs = self._stepper.largest_safe_step(
            start, end, options
        )
        return SafeStep(fraction, positions, _impact(impact), _contact(contact), proofs)

    def line_search(
        self,
        start: ArrayLike,
        end: ArrayLike,
        energy: Callable[[Array], float],
        **options: Any,
    ) -> LineSearchResult:
        """The same with a lower energy: ``energy(positions)`` is called with arrays (n, 3).

        Further options: ``kept_fraction`` (0.5), ``max_kept`` (1e-3), ``max_halvings`` (60).

        >>> import graze
        >>> stepper = graze.MeshStepper(2)
        >>> r = stepper.line_search([[0, 0, 0], [1, 0, 0]], [[2, 0, 0], [1, 0, 0]],
        ...                         lambda x: (x[0, 0] - 2) ** 2)
        >>> 0 < r.alpha < 0.5, r.energy < 4
        (True, True)
        """
        return LineSearchResult(*self._stepper.line_search(start, end, energy, options))

    def largest_safe_step_along(
        self,
        position: Callable[[float], ArrayLike],
        deviation: Callable[[float, float], ArrayLike],
        **options: Any,
    ) -> PathStep:
        """How far a path of yours is free: bodies that rotate, affine maps, reduced coordinates.

        ``position(alpha)``: positions (n, 3) for alpha in [0, 1]. ``deviation(from, to)``: how far
        the path is at most from the straight line between its positions at these two, one number
        or one for each vertex; infinity where nothing is known, and shorter intervals are tried. A
        second derivative of at most m gives m (to - from)^2 / 8. Further options: ``resolution``
        (2^-20), ``max_proofs`` (1000); ``t_max`` is ignored.

        >>> import graze, math
        >>> stepper = graze.MeshStepper(2)
        >>> circle = lambda t: [[math.cos(t), math.sin(t), 0], [0, 1.5, 0]]
        >>> step = stepper.largest_safe_step_along(circle, lambda a, b: (b - a) ** 2 / 8 + 1e-15)
        >>> step.alpha, step.impact
        (1.0, None)
        """
        alpha, positions, knots, impact, proofs = self._stepper.largest_safe_step_along(
            position, deviation, options
        )
        return PathStep(alpha, positions, knots, _impact(impact), proofs)

    def line_search_along(
        self,
        position: Callable[[float], ArrayLike],
        deviation: Callable[[float, float], ArrayLike],
        energy: Callable[[Array], float],
        **options: Any,
    ) -> PathLineSearchResult:
        """The same with a lower energy. Further option: ``max_halvings`` (60)."""
        return PathLineSearchResult(
            *self._stepper.line_search_along(position, deviation, energy, options)
        )

    def free_radii(self, positions: ArrayLike, reach: float, **options: Any) -> Array:
        """By vertex: every motion within these balls is free, whatever its path."""
        return self._stepper.free_radii(positions, reach, options)

    def free_fractions(self, start: ArrayLike, end: ArrayLike, **options: Any) -> FreeFractions:
        """By vertex, how far each may go, such that the joint motion is free."""
        return FreeFractions(*self._stepper.free_fractions(start, end, options))

    def active_set(self, start: ArrayLike, end: ArrayLike, **options: Any) -> Array:
        """Contacts as constraints: one row for each pair that comes within ``min_separation``.

        Columns: kind, a, b, verdict, toi_lower, toi_upper, u, v, on_a, on_b, normal, a_at_end,
        b_at_end, value (negative where the constraint is violated at the end).
        """
        return self._stepper.active_set(start, end, options)

    def intersections(self, positions: ArrayLike, **options: Any) -> Array:
        """What intersects or touches at these positions, exactly: kind (a number of
        :data:`graze.INTERSECTION_KINDS`), a, b."""
        return self._stepper.intersections(positions, options)

    def clearance(self, positions: ArrayLike, reach: float, **options: Any) -> Clearance:
        """Proved lower bounds of distances, up to ``reach``."""
        return Clearance(*self._stepper.clearance(positions, reach, options))

    def candidates(
        self, start: ArrayLike, end: ArrayLike, inflation: float = 0.0, **options: Any
    ) -> _core.Candidates:
        """Pairs that can meet in the step, for many searches of one line.

        >>> import graze
        >>> stepper = graze.MeshStepper(2)
        >>> a, b = [[0, 0, 0], [1, 0, 0]], [[2, 0, 0], [1, 0, 0]]
        >>> pairs = stepper.candidates(a, b)
        >>> len(pairs), pairs.pairs("vv").tolist()
        (1, [[0, 1]])
        >>> stepper.first_impact(a, b, candidates=pairs).toi_lower
        0.5
        """
        return self._stepper.candidates(start, end, inflation, options)

    def refit(
        self,
        candidates: _core.Candidates,
        start: ArrayLike,
        end: ArrayLike,
        inflation: float = 0.0,
        **options: Any,
    ) -> None:
        """Changes candidates to what :meth:`candidates` gives for another line, in their memory."""
        self._stepper.refit(candidates, start, end, inflation, options)
