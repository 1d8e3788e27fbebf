"""graze from Python by ctypes alone, with nothing to build:  python3 with_ctypes.py libgraze_c.so"""

import ctypes
import sys

SEPARATED, CONTACT, UNRESOLVED = 0, 1, 2
VERTEX_FACE = 0
OK, BAD_HANDLE = 0, 7


class Result(ctypes.Structure):
    _fields_ = [
        ("toi_lower", ctypes.c_double),
        ("toi_upper", ctypes.c_double),
        ("tolerance", ctypes.c_double),
        ("checks", ctypes.c_uint64),
        ("verdict", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
    ]


class View(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("count", ctypes.c_uint64),
        ("stride", ctypes.c_int64),
        ("point_stride", ctypes.c_int64),
        ("coordinate_stride", ctypes.c_int64),
        ("scalar", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
    ]


class Mesh(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint64)]


assert ctypes.sizeof(Result) == 40 and ctypes.sizeof(View) == 48


def load(path):
    library = ctypes.CDLL(path)
    library.graze_version.restype = ctypes.c_char_p
    library.graze_last_error.restype = ctypes.c_char_p
    library.graze_ccd.argtypes = [
        ctypes.c_int32, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double),
        ctypes.c_uint64, ctypes.c_void_p, ctypes.POINTER(Result)]
    library.graze_ccd_batch.argtypes = [
        ctypes.c_int32, ctypes.POINTER(View), ctypes.POINTER(View), ctypes.c_void_p,
        ctypes.POINTER(Result), ctypes.c_uint64]
    library.graze_mesh_create.argtypes = [
        ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint32), ctypes.c_uint64,
        ctypes.POINTER(ctypes.c_uint32), ctypes.c_uint64, ctypes.POINTER(Mesh)]
    library.graze_mesh_destroy.argtypes = [Mesh]
    # ENERGY: double (void* user, const double* positions, uint64_t coordinates)
    library.ENERGY = ctypes.CFUNCTYPE(
        ctypes.c_double, ctypes.c_void_p, ctypes.POINTER(ctypes.c_double), ctypes.c_uint64)
    library.graze_mesh_line_search.argtypes = [
        Mesh, ctypes.POINTER(View), ctypes.POINTER(View), library.ENERGY, ctypes.c_void_p,
        ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_double), ctypes.c_uint64,
        ctypes.c_void_p]
    return library


def check(library, status):
    if status != OK:
        raise ValueError(library.graze_last_error().decode())


def doubles(values):
    return (ctypes.c_double * len(values))(*values)


def view(array, count):
    return View(ctypes.cast(array, ctypes.c_void_p), count, 0, 0, 0, 0, 0)


def main(path):
    library = load(path)
    print("graze", library.graze_version().decode())
    face = [0, 0, 0, 1, 0, 0, 0, 1, 0]
    start, end = doubles([0.25, 0.25, 1] + face), doubles([0.25, 0.25, -1] + face)

    result = Result()
    check(library, library.graze_ccd(VERTEX_FACE, start, end, 12, None, ctypes.byref(result)))
    print("contact in", (result.toi_lower, result.toi_upper))
    assert result.verdict == CONTACT and result.toi_lower <= 0.5 <= result.toi_upper

    results = (Result * 2)()
    both_start = doubles(list(start) * 2)
    both_end = doubles(list(start) + list(end))
    check(library, library.graze_ccd_batch(
        VERTEX_FACE, ctypes.byref(view(both_start, 2)), ctypes.byref(view(both_end, 2)), None,
        results, 2))
    assert [r.verdict for r in results] == [SEPARATED, CONTACT]

    # An error is an exception here, and names what is wrong.
    start[3] = float("nan")
    try:
        check(library, library.graze_ccd(VERTEX_FACE, start, end, 12, None, ctypes.byref(result)))
        raise AssertionError("NaN was accepted")
    except ValueError as error:
        print("refused:", error)
        assert "start" in str(error) and "3" in str(error)
    assert result.verdict == UNRESOLVED and result.toi_lower == 0.0

    # A mesh, and a function of Python as the energy of a line search.
    mesh = Mesh()
    check(library, library.graze_mesh_create(
        4, (ctypes.c_uint32 * 3)(1, 2, 3), 1, None, 0, ctypes.byref(mesh)))
    start = doubles([0.25, 0.25, 1] + face)
    positions = doubles([0] * 12)
    found = doubles([0] * 6)
    height = library.ENERGY(lambda user, at, coordinates: sum(at[2:coordinates:3]))
    check(library, library.graze_mesh_line_search(
        mesh, ctypes.byref(view(start, 4)), ctypes.byref(view(end, 4)), height, None, None, None,
        positions, 12, found))
    print("line search: alpha", found[0], "height", positions[2])
    assert 0.4 < found[0] < 0.5 and positions[2] > 0.0
    check(library, library.graze_mesh_destroy(mesh))
    assert library.graze_mesh_destroy(mesh) == BAD_HANDLE


if __name__ == "__main__":
    main(sys.argv[1])
