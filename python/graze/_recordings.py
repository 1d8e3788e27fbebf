"""Recordings: the steps of a mesh with what was asked and answered, to the bit (docs/recordings.md)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Optional, Type, Union

from . import _core
from ._meshes import FirstImpact, MeshStepper, StepImpacts, _all_impacts, _first_impact
from ._types import ArrayLike

Path = Union[str, "os.PathLike[str]"]


class Recorder:
    """Asks a stepper, and keeps every question and answer in a file.

    Each step is handed to the operating system before the call returns: after a crash the recording
    can be read up to its last whole step. ``version`` is that of the program that records;
    ``keep="first"`` stores the first impact of a step alone, with a hash of all. A filter that is a
    function cannot be recorded: use layers and masks. ``graze replay FILE`` and :func:`graze.replay`
    answer every step again, ``graze view FILE`` shows them.

    >>> import graze, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "run.gzr")
    >>> a, b = [[0, 0, 0], [1, 0, 0]], [[1, 0, 0], [0, 0, 0]]
    >>> with graze.Recorder(path, graze.MeshStepper(2), version="my solver 1.2") as recorder:
    ...     first = recorder.first_impact(a, b)
    ...     recorder.mark("frame", energy=2.0)
    >>> first.toi_lower, recorder.steps, graze.replay(path).is_same
    (0.5, 1, True)
    """

    def __init__(
        self, path: Path, stepper: MeshStepper, *, version: str = "", keep: str = "all"
    ) -> None:
        if keep not in ("all", "first"):
            raise ValueError(f"keep: must be 'all' or 'first', not {keep!r}")
        self._recorder = _core.Recorder(
            os.fspath(path), stepper._stepper, version, keep == "all"
        )

    def first_impact(self, start: ArrayLike, end: ArrayLike, **options: Any) -> FirstImpact:
        """As :meth:`MeshStepper.first_impact`, recorded."""
        return _first_impact(self._recorder.first_impact(start, end, options))

    def all_impacts(self, start: ArrayLike, end: ArrayLike, **options: Any) -> StepImpacts:
        """As :meth:`MeshStepper.all_impacts`, recorded."""
        return _all_impacts(self._recorder.all_impacts(start, end, options))

    def mark(self, name: str, **numbers: float) -> None:
        """Named numbers between steps: the statistics of a frame, say."""
        self._recorder.mark(name, numbers)

    def finish(self) -> None:
        """Ends the recording; one without an end is read as cut."""
        self._recorder.finish()

    @property
    def steps(self) -> int:
        """How many were recorded."""
        return self._recorder.steps

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        # A recording of a run that failed stays without an end: it is read as cut.
        if kind is None:
            self.finish()


@dataclass(frozen=True)
class Replay:
    """What became of a recording that was answered again."""

    steps: int
    is_cut: bool
    differs_at: Optional[int]
    difference: str

    @property
    def is_same(self) -> bool:
        """Every step that could be read has the answer that was recorded, to the bit."""
        return self.differs_at is None


def replay(path: Path) -> Replay:
    """Answers every step of a recording again, up to the first that differs.

    A file that cannot be read raises :class:`graze.FileError`, one that is damaged or no recording
    :class:`graze.InputError`; a recording that was cut says so.
    """
    return Replay(*_core.replay(os.fspath(path)))
