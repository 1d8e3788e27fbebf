"""graze.cuda where there is no device: what it says, and what it refuses before it asks one.
(With a device: tests/cuda/device_arrays.py.)"""

import numpy as np
import pytest

import graze.cuda
from graze._device_arrays import DeviceArray, Positions


class OnDevice:
    """An array that claims to be in device memory."""

    def __init__(self, shape=(4, 3), typestr="<f8", strides=None):
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": typestr, "data": (4096, False), "strides": strides,
            "version": 3,
        }


def test_without_the_library_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setenv("GRAZE_CUDA_LIBRARY", "/nonexistent/libgraze_cuda_c.so")
    monkeypatch.setattr(graze.cuda, "_library", None)
    with pytest.raises(graze.cuda.DeviceError, match="GRAZE_BUILD_CUDA"):
        graze.cuda.DeviceStepper(3, [[0, 1, 2]])


def test_positions_are_borrowed_from_the_array_interface():
    array = OnDevice()
    positions = Positions(array, "start")
    assert (positions.pointer, positions.vertices) == (4096, 4)
    assert positions.owner is array


@pytest.mark.parametrize("array, error", [
    (np.zeros((4, 3)), TypeError),
    (OnDevice(shape=(4, 2)), ValueError),
    (OnDevice(typestr="<f4"), TypeError),
    (OnDevice(strides=(8, 32)), ValueError),
    (object(), TypeError),
])
def test_other_arrays_are_refused_by_name(array, error):
    with pytest.raises(error, match="start"):
        Positions(array, "start")


def test_a_column_is_a_strided_view_for_others():
    column = DeviceArray(None, 4096 + 8, 5, 24, "<f8", 0)
    interface = column.__cuda_array_interface__
    assert interface["shape"] == (5,) and interface["strides"] == (24,)
    assert interface["data"] == (4104, False)
    assert column.__dlpack_device__() == (2, 0)
