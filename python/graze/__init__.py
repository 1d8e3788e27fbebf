"""Exact continuous collision detection.

Given vertices and triangles, meshes or rigid bodies at the start and the end of a time step, graze
proves whether they touch and brackets the time of impact.

* queries: :func:`ccd`, :func:`oracle`, :func:`verify`, :func:`methods`
* meshes: :class:`MeshStepper`; their recordings: :class:`Recorder`, :func:`replay`
* rigid bodies: :mod:`graze.rigid`; robots: :mod:`graze.robot`; sliding characters: :mod:`graze.slide`
* simulations: :mod:`graze.sim`, where the module was built with them
* files: :mod:`graze.io`; made-up data: :mod:`graze.generate`
* your method against all others: :mod:`graze.bench`; pictures: :mod:`graze.plot`

A verdict is ``SEPARATED``, ``CONTACT`` or ``UNRESOLVED``; whatever it is, [0, toi_lower) is proved
free. To move on, go to ``toi_lower`` or less, never to ``toi_upper``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import _core
from ._types import KINDS, Verdict
from .errors import (
    CancelledError,
    Error,
    FileError,
    InputError,
    InternalError,
    OutOfMemoryError,
    OutOfRangeError,
    UnsupportedError,
)
from ._queries import (
    CLAIMS,
    RESULT,
    Method,
    Verification,
    as_answers,
    ccd,
    contact_points,
    methods,
    minimum_distance,
    oracle,
    verify,
)
from ._meshes import (
    IMPACT,
    INTERSECTION_KINDS,
    Clearance,
    ContactPoint,
    FirstImpact,
    FreeFractions,
    Impact,
    LineSearchResult,
    MeshStepper,
    PathLineSearchResult,
    PathStep,
    SafeStep,
    StepImpacts,
    StreamedImpacts,
)
from ._recordings import Recorder, Replay, replay
from . import bench, generate, io, rigid, robot, slide

if TYPE_CHECKING:
    from . import plot, sim

__version__: str = _core.__version__

SEPARATED = Verdict.SEPARATED
CONTACT = Verdict.CONTACT
UNRESOLVED = Verdict.UNRESOLVED



def __getattr__(name: str) -> Any:
    # Modules that need more than all builds have are imported when they are asked for.
    if name in ("plot", "sim"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "CLAIMS",
    "CONTACT",
    "CancelledError",
    "Clearance",
    "ContactPoint",
    "Error",
    "FileError",
    "FirstImpact",
    "FreeFractions",
    "IMPACT",
    "INTERSECTION_KINDS",
    "Impact",
    "InputError",
    "InternalError",
    "KINDS",
    "LineSearchResult",
    "MeshStepper",
    "Method",
    "OutOfMemoryError",
    "OutOfRangeError",
    "PathLineSearchResult",
    "PathStep",
    "RESULT",
    "Recorder",
    "Replay",
    "SEPARATED",
    "SafeStep",
    "StepImpacts",
    "StreamedImpacts",
    "UNRESOLVED",
    "UnsupportedError",
    "Verdict",
    "Verification",
    "as_answers",
    "bench",
    "ccd",
    "contact_points",
    "generate",
    "io",
    "methods",
    "minimum_distance",
    "oracle",
    "replay",
    "rigid",
    "robot",
    "slide",
    "verify",
]
