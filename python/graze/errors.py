"""Exceptions of graze. Each is an :class:`Error` and the exception of Python that fits."""

from __future__ import annotations

import re
from typing import Any, Optional


class Error(Exception):
    """What all errors of the library have in common.

    ``code`` is the kind of error (``"not-finite"``, ``"wrong-size"``, ...), ``argument`` the
    argument at fault if it is known, ``index`` that of the vertex, face, body or line at fault.

    >>> import graze
    >>> stepper = graze.MeshStepper(3, F=[[0, 1, 2]])
    >>> try:
    ...     stepper.first_impact([[0, 0, 0]] * 3, [[0, 0, 0], [0, 0, float("nan")], [0, 0, 0]])
    ... except graze.Error as error:
    ...     print(error.code, error.argument, error.index)
    not-finite end 1
    """

    def __init__(
        self,
        message: str,
        code: str = "unspecified",
        argument: str = "",
        index: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.argument = argument
        self.index = index

    def __str__(self) -> str:
        if not self.argument or self.argument in re.split(r"\W+", self.message):
            return self.message
        return f"{self.argument}: {self.message}"

    def __reduce__(self) -> Any:
        return (type(self), (self.message, self.code, self.argument, self.index))


class InputError(Error, ValueError):
    """An argument, an option or the contents of a file are not valid."""


class OutOfRangeError(Error, IndexError):
    """An index names a vertex, a face or a body that does not exist."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class OutOfMemoryError(Error, MemoryError):
    """There was not enough memory."""


class CancelledError(Error, RuntimeError):
    """A progress callback returned False. Nothing is claimed of what was not searched."""


class UnsupportedError(Error, NotImplementedError):
    """The method or the build cannot do it."""


class InternalError(Error, RuntimeError):
    """A defect of the library."""


_CLASSES = {
    "index-out-of-range": OutOfRangeError,
    "cannot-read": FileError,
    "cannot-write": FileError,
    "disk-full": FileError,
    "out-of-memory": OutOfMemoryError,
    "cancelled": CancelledError,
    "unsupported": UnsupportedError,
    "internal": InternalError,
}


# Messages of the library begin with the argument, or with what it holds.
_NAMED = re.compile(
    r"(?:the |there is no )?(?:filter\.)?"
    r"(start|end|positions|reach|radius|body|layers|mask|fixed|threads|method|norm|t_max|"
    r"time_width|min_separation|distance_tolerance|max_checks|inflation|kept_fraction|max_kept|"
    r"taken_fraction|max_rounds|target_separation|pixel|time_resolution|max_pixels|max_pairs|"
    r"vertex|face|edge|part)\b"
)
_ARGUMENTS = {"vertex": "V", "face": "F", "edge": "E"}


def exception_for(code: str, message: str, argument: str, index: Optional[int]) -> Error:
    """The exception for an error of the compiled part.

    >>> exception_for("index-out-of-range", "face 3: an index is not below 2", "", 3).argument
    'F'
    """
    if not argument and (named := _NAMED.match(message)):
        argument = _ARGUMENTS.get(named[1], named[1])
    return _CLASSES.get(code, InputError)(message, code, argument, index)
