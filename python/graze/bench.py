"""Your method against all others, on queries with exact ground truth."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Callable, Iterable, List, Optional, Sequence, Union

import numpy as np

from . import _core
from . import io as _io
from ._queries import as_answers
from ._types import KINDS, Verdict

#: ``batch(kind, start, end)`` returns answers as :func:`graze.as_answers` takes them.
Batch = Callable[..., Any]


@dataclass(frozen=True)
class Entry:
    """A method of your own: a name, a batch function, and the kinds of query that it answers."""

    name: str
    batch: Batch
    kinds: Sequence[str] = KINDS


@dataclass(frozen=True)
class Row:
    """One method on one group and kind. Unresolved counts as contact, as who is careful takes it."""

    method: str
    group: str
    kind: str
    queries: int
    seconds: float  #: the fastest of the repetitions, for the whole batch
    contacts: int
    false_positives: int
    false_negatives: int
    unresolved: int
    late: int  #: toi_lower after the exact first time
    early: int  #: toi_upper before it

    @property
    def ns(self) -> float:
        """Mean time of a query."""
        return 1e9 * self.seconds / max(self.queries, 1)


def _entries(methods: Iterable[Union[str, Entry, Batch]]) -> List[Entry]:
    entries = []
    known = {name: kinds for name, _, _, kinds, _ in _core.methods()}
    for method in methods:
        if isinstance(method, Entry):
            entries.append(method)
        elif isinstance(method, str):
            if method not in known:
                raise ValueError(f"methods: there is no '{method}'; there are: {', '.join(known)}")
            entries.append(Entry(method, _builtin(method), known[method]))
        else:
            entries.append(Entry(getattr(method, "__name__", "yours"), method))
    return entries


def _builtin(name: str) -> Batch:
    return lambda kind, start, end, **options: _core.ccd(kind, start, end, name, options, 1, None)


def _row(entry: Entry, queries: _io.Queries, repeat: int, options: Any) -> Row:
    best = np.inf
    found: Any = None
    for _ in range(repeat):
        begin = time.perf_counter()
        found = entry.batch(queries.kind, queries.start, queries.end, **options)
        best = min(best, time.perf_counter() - begin)
    answers = as_answers(found, len(queries))
    touches = queries.truth == 1
    misses = queries.truth == 0
    is_separated = answers["verdict"] == Verdict.SEPARATED
    with_time = touches & ~is_separated & ~np.isnan(queries.first_time[:, 0])
    exact = queries.first_time

    def count(mask: Any) -> int:
        return int(np.count_nonzero(mask))

    return Row(
        entry.name,
        queries.group,
        queries.kind,
        len(queries),
        float(best),
        count(touches),
        count(misses & ~is_separated),
        count(touches & is_separated),
        count(answers["verdict"] == Verdict.UNRESOLVED),
        count(with_time & ~(answers["toi_lower"] <= exact[:, 0])),
        count(with_time & ~(answers["toi_upper"] >= exact[:, 1])),
    )


def compare(
    methods: Iterable[Union[str, Entry, Batch]],
    data: Optional[Iterable[_io.Queries]] = None,
    *,
    kinds: Sequence[str] = KINDS,
    repeat: int = 3,
    **options: Any,
) -> List[Row]:
    """Asks every method the same queries; ``data`` are those that ship with graze by default.

    A method is a name of :func:`graze.methods`, a function ``batch(kind, start, end)`` or an
    :class:`Entry`. Options (those of :func:`graze.ccd`) are passed on to every method.

    >>> import graze
    >>> def hopeful(kind, start, end):
    ...     return [False] * len(start)  # nothing ever touches
    >>> rows = graze.bench.compare(["certified", hopeful], kinds=["vf"], repeat=1)
    >>> sum(r.false_negatives for r in rows if r.method == "certified")
    0
    >>> sum(r.false_negatives for r in rows if r.method == "hopeful") > 0
    True
    """
    entries = _entries(methods)
    sets = [s for s in (_io.embedded() if data is None else data) if s.kind in kinds]
    return [
        _row(entry, queries, repeat, options)
        for queries in sets
        for entry in entries
        if queries.kind in entry.kinds
    ]


def table(rows: Sequence[Row]) -> str:
    """The rows as text for people.

    >>> print(table([Row("certified", "near", "vf", 2, 1e-6, 1, 0, 0, 0, 0, 0)]))
    group  kind  method     queries   FP   FN  unresolved  toi!  ns/query
    near   vf    certified        2    0    0           0     0       500
    """
    group = max([5, *(len(r.group) for r in rows)])
    method = max([6, *(len(r.method) for r in rows)])
    lines = [
        f"{'group':{group}}  kind  {'method':{method}}  queries   FP   FN  unresolved  toi!  ns/query"
    ]
    for r in rows:
        lines.append(
            f"{r.group:{group}}  {r.kind:4}  {r.method:{method}}  {r.queries:7}  {r.false_positives:3}"
            f"  {r.false_negatives:3}  {r.unresolved:10}  {r.late + r.early:4}  {r.ns:8.0f}"
        )
    return "\n".join(lines)
