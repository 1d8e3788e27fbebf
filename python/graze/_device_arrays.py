"""Arrays in device memory, in and out, without a copy: ``__cuda_array_interface__`` and DLPack."""

from __future__ import annotations

import ctypes
from typing import Any, Optional, Tuple

_CUDA = 2  # kDLCUDA


class _DLDevice(ctypes.Structure):
    _fields_ = [("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


class _DLDataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", _DLDevice),
        ("ndim", ctypes.c_int32),
        ("dtype", _DLDataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _DLManagedTensor(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_DLManagedTensor))
_DLManagedTensor._fields_ = [
    ("dl_tensor", _DLTensor),
    ("manager_ctx", ctypes.c_void_p),
    ("deleter", _Deleter),
]

_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype = ctypes.c_void_p
_get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

# DLPack tensors that were given away, by address: alive until their consumer deletes them.
_given: "dict[int, Any]" = {}


@_Deleter  # type: ignore[misc]
def _forget(tensor: Any) -> None:
    _given.pop(ctypes.addressof(tensor.contents), None)


class Positions:
    """Positions of (n, 3) float64, C-contiguous, in device memory: borrowed, never copied."""

    def __init__(self, array: Any, what: str) -> None:
        self.owner = array
        self.stream: Optional[int] = None
        if hasattr(array, "__cuda_array_interface__"):
            self._from_interface(array.__cuda_array_interface__, what)
        elif hasattr(array, "__dlpack__"):
            self._from_dlpack(array, what)
        else:
            raise TypeError(
                f"{what} is no array in device memory: it has neither __cuda_array_interface__ "
                f"nor __dlpack__ ({type(array).__name__})"
            )

    def _check(self, what: str, shape: Tuple[int, ...], is_float64: bool,
               strides: Optional[Tuple[int, ...]]) -> None:
        if len(shape) != 2 or shape[1] != 3:
            raise ValueError(f"{what} has shape {shape}, not (n, 3)")
        if not is_float64:
            raise TypeError(f"{what} is not float64")
        if strides is not None and shape[0] > 1 and tuple(strides) != (3, 1):
            raise ValueError(f"{what} is not C-contiguous")
        self.vertices = shape[0]

    def _from_interface(self, interface: "dict[str, Any]", what: str) -> None:
        strides = interface.get("strides")
        counted = None if strides is None else tuple(s // 8 for s in strides)
        self._check(what, tuple(interface["shape"]), interface["typestr"] == "<f8", counted)
        self.pointer = interface["data"][0] or 0
        self.stream = interface.get("stream")

    def _from_dlpack(self, array: Any, what: str) -> None:
        kind, _ = array.__dlpack_device__()
        if int(kind) != _CUDA:
            raise TypeError(f"{what} is not in the memory of a CUDA device")
        self.capsule = array.__dlpack__(stream=1)  # ordered before the default stream
        address = _get_pointer(self.capsule, b"dltensor")
        tensor = ctypes.cast(address, ctypes.POINTER(_DLManagedTensor)).contents.dl_tensor
        shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
        strides = tuple(tensor.strides[i] for i in range(tensor.ndim)) if tensor.strides else None
        is_float64 = (tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes) == (2, 64, 1)
        self._check(what, shape, is_float64, strides)
        self.pointer = (tensor.data or 0) + tensor.byte_offset
        self.stream = 1


class DeviceArray:
    """A column of a list in device memory. Taken by ``torch.as_tensor``, ``cupy.asarray``,
    ``torch.from_dlpack`` and so on; keeps the stepper alive, whose next call overwrites it."""

    def __init__(self, owner: Any, pointer: int, count: int, stride: int, typestr: str,
                 device: int) -> None:
        self._owner = owner
        self._device = device
        self._pointer = pointer
        self._count = count
        self._stride = stride
        self._typestr = typestr

    def __len__(self) -> int:
        return self._count

    @property
    def __cuda_array_interface__(self) -> "dict[str, Any]":
        return {
            "shape": (self._count,),
            "typestr": self._typestr,
            # Not marked as read-only, which torch does not take; nothing reads what is written here.
            "data": (self._pointer if self._count else 0, False),
            "strides": (self._stride,),
            "version": 3,
            "stream": None,
        }

    def __dlpack_device__(self) -> Tuple[int, int]:
        return (_CUDA, self._device)

    def __dlpack__(self, **_: Any) -> Any:
        size = int(self._typestr[2:])
        code = {"f": 2, "i": 0, "u": 1}[self._typestr[1]]
        shape = (ctypes.c_int64 * 1)(self._count)
        strides = (ctypes.c_int64 * 1)(self._stride // size)
        managed = _DLManagedTensor()
        managed.dl_tensor = _DLTensor(
            self._pointer or None, _DLDevice(_CUDA, self._device), 1,
            _DLDataType(code, 8 * size, 1),
            ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64)),
            ctypes.cast(strides, ctypes.POINTER(ctypes.c_int64)), 0)
        managed.manager_ctx = None
        managed.deleter = _forget
        _given[ctypes.addressof(managed)] = (managed, shape, strides, self)
        # A capsule that nobody takes stays with its tensor: a hundred bytes, and no memory of the device.
        return _new_capsule(ctypes.addressof(managed), b"dltensor", None)
