"""Batches of queries."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

import numpy as np

from . import _core
from ._types import ArrayLike, Verdict

#: The dtype of answers: verdict, toi_lower, toi_upper, checks, tolerance.
RESULT: np.dtype[Any] = _core.RESULT


def _scalar_or_array(answers: Any, start: ArrayLike) -> Any:
    ndim = getattr(start, "ndim", None)
    if ndim is None:
        ndim = np.ndim(start)
    return answers[0] if ndim == 2 else answers


def ccd(
    kind: str,
    start: ArrayLike,
    end: ArrayLike,
    *,
    method: str = "certified",
    threads: int = 1,
    out: Optional[np.ndarray[Any, Any]] = None,
    **options: Any,
) -> Any:
    """Do two primitives touch during a step, and when first?

    ``kind`` is ``"vf"`` (vertex-face: v f0 f1 f2), ``"ee"`` (edge-edge: a0 a1 b0 b1), ``"vv"`` or
    ``"ve"`` (v e0 e1). ``start`` and ``end`` hold the vertices at both ends of the step, shape
    (n, 4, 3) for ``vf`` and ``ee``, (n, 2, 3) for ``vv``, (n, 3, 3) for ``ve``; without the first
    axis they are one query. float64 and float32 arrays are read where they lie, whatever their
    strides; tensors with ``__dlpack__`` on the CPU and lists are fine, too.

    Returns a structured array of dtype :data:`RESULT`, one row per query (or one record):
    ``verdict`` (see :class:`Verdict`), ``toi_lower``: [0, toi_lower) is proved free whatever the
    verdict, ``toi_upper``: contact at or before it is proved, if finite. Queries with numbers
    that are not finite are ``UNRESOLVED`` with toi_lower = 0.

    Options: ``min_separation`` (0.0), ``norm`` (``"euclidean"`` or ``"max"``),
    ``distance_tolerance`` (1e-6), ``time_width`` (1e-9), ``t_max`` (1.0), ``max_checks``
    (1,000,000). ``method`` is a name of :func:`methods`. ``threads``: 0 takes all cores; answers
    have the same bits for any number. ``out``: a contiguous array of dtype RESULT to write to.

    The GIL is released; Ctrl-C ends the call.

    >>> import graze
    >>> face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> answer = graze.ccd("vf", [[0.25, 0.25, 1.0], *face], [[0.25, 0.25, -0.5], *face])
    >>> answer["verdict"] == graze.CONTACT
    True
    >>> f"{answer['toi_lower']:.9f} {answer['toi_upper']:.9f}"
    '0.666666667 0.666666667'

    >>> start, end = graze.generate.queries("ordinary", "ee", 1000)
    >>> answers = graze.ccd("ee", start, end)
    >>> answers.shape, float(answers["toi_lower"].min()) > 0
    ((1000,), True)
    >>> safe = (answers["verdict"] == graze.SEPARATED) | (answers["toi_lower"] > 0.5)
    """
    return _scalar_or_array(_core.ccd(kind, start, end, method, options, threads, out), start)


def oracle(
    kind: str, start: ArrayLike, end: ArrayLike, *, threads: int = 1, **options: Any
) -> Any:
    """The exact answers, by integers of any size: ground truth for tests, 10 us to ms per query.

    Arguments and result as those of :func:`ccd`; ``toi_lower`` and ``toi_upper`` are neighbouring
    doubles around the exact first time, or equal to it.

    >>> import graze
    >>> answer = graze.oracle("vv", [[0, 0, 0], [3, 0, 0]], [[3, 0, 0], [0, 0, 0]])
    >>> answer["toi_lower"], answer["toi_upper"]
    (0.5, 0.5)
    """
    answers = _core.ccd(kind, start, end, "oracle", options, threads, None)
    return _scalar_or_array(answers, start)


def minimum_distance(
    kind: str, start: ArrayLike, end: ArrayLike, *, norm: str = "euclidean", threads: int = 1
) -> Any:
    """Neighbouring doubles around the smallest distance over the whole step, exactly.

    Columns ``lower`` and ``upper``; [0, infinity] where a coordinate is not finite.

    >>> import graze
    >>> d = graze.minimum_distance("vv", [[0, 0, 0], [3, 4, 0]], [[0, 0, 0], [3, 4, 9]])
    >>> bool(d["lower"] < 5 <= d["upper"])
    True
    """
    rows = _core.minimum_distance(kind, start, end, {"norm": norm}, threads)
    return _scalar_or_array(rows, start)


def contact_points(kind: str, start: ArrayLike, end: ArrayLike, time: ArrayLike) -> Any:
    """Where primitives are nearest at a time in [0, 1]: estimates, as a simulator needs them.

    Columns ``u``, ``v`` (parameters), ``on_a``, ``on_b`` (points), ``normal``,
    ``distance_upper``.

    >>> import graze
    >>> face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> p = graze.contact_points("vf", [[.25, .25, 1], *face], [[.25, .25, -1], *face], 0.5)
    >>> p["on_b"].tolist(), p["normal"].tolist()
    ([0.25, 0.25, 0.0], [0.0, 0.0, 1.0])
    """
    times = np.atleast_1d(np.asarray(time, dtype=np.float64))
    return _scalar_or_array(_core.contact_points(kind, start, end, times), start)


# --- methods ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Method:
    """A method of :func:`ccd` and what its answers prove."""

    name: str
    summary: str
    role: str  #: detector, filter, as-published or ground-truth
    kinds: Tuple[str, ...]
    guarantee: Dict[str, bool] = field(hash=False)


def methods() -> List[Method]:
    """Every method, in the order of tables.

    >>> import graze
    >>> certified = graze.methods()[0]
    >>> certified.name, certified.guarantee["no_false_negatives"]
    ('certified', True)
    """
    return [Method(*row) for row in _core.methods()]


#: (name, what has happened where it is broken) of every claim that :func:`verify` checks.
CLAIMS: Tuple[Tuple[str, str], ...] = tuple(_core.claims())
# What every method must keep, whatever it declares.
_ALWAYS = ("numbers_in_range", "infinite_when_separated", "unresolved_when_not_finite")
# A declaration and the claim of that meaning, where they have two names.
_CLAIM_OF = {"progress_when_separated": "progress_when_apart"}


@dataclass(frozen=True, eq=False)
class Verification:
    """What :func:`verify` found."""

    queries: int
    #: How many answers break each claim that was made.
    broken: Dict[str, int]
    #: By query: bit i is set where claim i of :data:`CLAIMS` was made and broken.
    faults: np.ndarray[Any, Any]

    @property
    def ok(self) -> bool:
        return not self.broken

    def indices(self, claim: Optional[str] = None) -> np.ndarray[Any, Any]:
        """The queries whose answers break that claim, or any."""
        if claim is None:
            return np.flatnonzero(self.faults)
        bit = [name for name, _ in CLAIMS].index(claim)
        return np.flatnonzero(self.faults & (1 << bit))


def verify(
    kind: str,
    start: ArrayLike,
    end: ArrayLike,
    answers: Any,
    *,
    claims: Union[None, Iterable[str]] = None,
    threads: int = 1,
    **options: Any,
) -> Verification:
    """Holds answers against the exact oracle.

    ``answers``: what :func:`ccd` returns, or what a method of your own found, as
    :func:`as_answers` makes it. ``claims``: names of :data:`CLAIMS`, of which all are checked by
    default; those that hold for every method are checked always. Options as those of the answers.

    >>> import graze
    >>> start, end = graze.generate.queries("near", "vf", 50)
    >>> graze.verify("vf", start, end, graze.ccd("vf", start, end)).ok
    True
    >>> wrong = graze.ccd("vf", start, end, method="cubic")
    >>> sorted(graze.verify("vf", start, end, wrong, claims=["no_false_negatives"]).broken)
    ['no_false_negatives']
    """
    known = [name for name, _ in CLAIMS]
    wanted = set(known if claims is None else claims) | set(_ALWAYS)
    wanted = {_CLAIM_OF.get(name, name) for name in wanted}
    for name in wanted:
        if name not in known:
            raise ValueError(f"claims: there is no '{name}'; there are: {', '.join(known)}")
    rows = np.atleast_1d(np.asarray(answers))
    mask = sum(1 << i for i, name in enumerate(known) if name in wanted)
    faults = _core.faults(kind, start, end, rows, options, threads) & np.uint16(mask)
    broken = {
        name: count
        for i, name in enumerate(known)
        if (count := int(np.count_nonzero(faults & np.uint16(1 << i))))
    }
    return Verification(len(rows), broken, faults)


def as_answers(found: Any, count: int) -> np.ndarray[Any, Any]:
    """Answers of a method of your own as an array of dtype :data:`RESULT`.

    ``found``: such an array, a dict of columns, or booleans (True: contact). Without
    ``toi_lower`` nothing is claimed to be free before a contact.

    >>> import graze
    >>> a = graze.as_answers([True, False], 2)
    >>> a["verdict"].tolist(), a["toi_lower"].tolist()
    ([1, 0], [0.0, inf])
    """
    if isinstance(found, np.ndarray) and found.dtype == RESULT:
        if found.shape != (count,):
            raise ValueError(f"answers: has shape {found.shape}, not ({count},)")
        return found
    columns = found if isinstance(found, dict) else {"verdict": found}
    answers = np.zeros(count, RESULT)
    verdict = np.asarray(columns["verdict"])
    if verdict.shape != (count,):
        raise ValueError(f"verdict: has shape {verdict.shape}, not ({count},)")
    if not np.isin(verdict, list(Verdict)).all():
        raise ValueError("verdict: holds other values than those of graze.Verdict")
    answers["verdict"] = verdict
    is_separated = answers["verdict"] == Verdict.SEPARATED
    answers["toi_lower"] = np.where(is_separated, np.inf, 0.0)
    answers["toi_upper"] = np.inf
    answers["tolerance"] = np.inf
    for name, values in columns.items():
        if name not in RESULT.fields:  # type: ignore[operator]
            raise ValueError(f"answers: there is no column '{name}'")
        if name != "verdict":
            answers[name] = values
    return answers
