"""Names that several modules share."""

from __future__ import annotations

import enum
from typing import Any, Dict, Tuple

Vector = Tuple[float, float, float]
# A NumPy array, a tensor with __dlpack__ on the CPU, or nested lists.
ArrayLike = Any
Options = Dict[str, Any]


class Verdict(enum.IntEnum):
    """The answer of every query.

    >>> Verdict(1)
    <Verdict.CONTACT: 1>
    >>> Verdict.SEPARATED == 0
    True
    """

    SEPARATED = 0  #: no contact in the closed step: proved, by methods that declare it
    CONTACT = 1  #: contact: proved, or could not be excluded, by what the method declares
    UNRESOLVED = 2  #: neither; nothing is free beyond ``toi_lower``


KINDS = ("vf", "ee", "vv", "ve")
