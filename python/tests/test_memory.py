"""No copies of whole arrays, no leaks, DLPack in and out."""

from __future__ import annotations

import gc
import pickle
import resource
import sys

import numpy as np
import pytest

import graze
from graze import _core


def copied(call):
    before = _core.copied_bytes()
    call()
    return _core.copied_bytes() - before


def test_contiguous_float64_arrays_are_never_copied(scene):
    start, end = graze.generate.queries("ordinary", "vf", 1000)
    assert copied(lambda: graze.ccd("vf", start, end)) == 0
    assert copied(lambda: graze.ccd("vf", start.astype("f4"), end[::-1])) == 0
    V, W, F = scene
    stepper = graze.MeshStepper(V, F=F)
    assert copied(lambda: stepper.first_impact(V, W)) == 0
    assert copied(lambda: stepper.largest_safe_step(V, W)) == 0
    assert copied(lambda: stepper.first_impact(np.asfortranarray(V), W)) == V.nbytes
    assert copied(lambda: stepper.first_impact(V.astype("f4"), W)) == V.nbytes


def test_a_million_queries_take_the_memory_of_their_results():
    start = np.zeros((1_000_000, 4, 3))
    start[:, 0, 2] = 1.0
    start[:, 1:, :2] = [[0, 0], [1, 0], [0, 1]]
    end = start.copy()
    out = np.empty(len(start), graze.RESULT)
    out[:] = 0  # pages that nobody wrote to are not there yet
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    graze.ccd("vf", start, end, out=out)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 8 * 1024  # [kB]; one of the arrays has 94,000
    assert (out["verdict"] == graze.SEPARATED).all()


def _grow(calls, call):
    for _ in range(calls // 10):
        call()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(calls):
        call()
    gc.collect()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before


def _no_leak(calls, scene):
    start, end = graze.generate.queries("ordinary", "vf", 2)
    V, W, F = scene
    stepper = graze.MeshStepper(V, F=F)
    options = {"min_separation": 1e-3, "threads": 1}

    def call():
        graze.ccd("vf", start, end)
        stepper.first_impact(V, W, **options)
        try:
            graze.ccd("vf", start, end[:1])
        except ValueError:
            pass
        try:
            stepper.first_impact(V, W, t_max=-1)
        except graze.Error:
            pass

    watched = [start, end, V, W, F, stepper, options]
    before = [sys.getrefcount(x) for x in watched]
    grown = _grow(calls, call)
    assert [sys.getrefcount(x) for x in watched] == before
    assert grown < 4 * 1024, f"{grown} kB"


def test_calls_and_errors_keep_no_references_and_no_memory(scene):
    _no_leak(5_000, scene)


def test_objects_and_callbacks_keep_no_memory(scene):
    V, W, F = scene

    def fails(*_):
        raise ZeroDivisionError

    def call():
        stepper = graze.MeshStepper(V, F=F)
        stepper.stream_impacts(V, W, len)
        stepper.refit(stepper.candidates(V, V), V, W)
        stepper.largest_safe_step_along(lambda alpha: V, lambda a, b: 0.0)
        for wrong in (
            lambda: stepper.stream_impacts(V, W, fails),
            lambda: stepper.largest_safe_step_along(fails, fails),
        ):
            with pytest.raises(ZeroDivisionError):
                wrong()
        stepper.set_topology(3, F=F[:1])
        level = graze.slide.Level()
        level.add_part(V, F)
        pickle.loads(pickle.dumps(level)).move_and_slide(0.1, [0, 0, 2], [0, 0, -1])

    before = [sys.getrefcount(x) for x in (V, W, F)]
    assert _grow(1000, call) < 4 * 1024
    assert [sys.getrefcount(x) for x in (V, W, F)] == before


@pytest.mark.long
def test_a_million_calls_keep_no_references_and_no_memory(scene):
    _no_leak(1_000_000 // 4, scene)


def test_results_own_what_they_show(scene):
    V, W, F = scene
    positions = graze.MeshStepper(V, F=F).largest_safe_step(V, W).positions
    gc.collect()
    assert positions.shape == (6, 3) and np.isfinite(positions).all()
    positions[0] = 5.0  # they are the caller's
    assert V[0, 0] == 0.0


class Tensor:
    """The least that DLPack asks for."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **kwargs):
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_dlpack_in_without_copies():
    start, end = graze.generate.queries("ordinary", "vf", 100)
    expected = graze.ccd("vf", start, end)
    before = _core.copied_bytes()
    found = _core.ccd("vf", Tensor(start), Tensor(end), "certified", {}, 1, None)
    assert _core.copied_bytes() == before
    assert found.tobytes() == expected.tobytes()


def test_dlpack_out_without_copies():
    start, end = graze.generate.queries("ordinary", "vf", 100)
    answers = graze.ccd("vf", start, end)
    times = np.from_dlpack(answers["toi_lower"])
    assert np.shares_memory(times, answers)


def test_tensors_of_torch():
    torch = pytest.importorskip("torch")
    start, end = graze.generate.queries("ordinary", "vf", 100)
    expected = graze.ccd("vf", start, end)
    a, b = torch.from_numpy(start), torch.from_numpy(end)
    before = _core.copied_bytes()
    found = graze.ccd("vf", a, b)
    assert _core.copied_bytes() == before
    assert found.tobytes() == expected.tobytes()
    half = graze.ccd("vf", a.float(), b.float())
    assert half.tobytes() == graze.ccd("vf", start.astype("f4"), end.astype("f4")).tobytes()
    times = torch.from_dlpack(found["toi_lower"])
    assert times.dtype == torch.float64
    assert times.tolist() == expected["toi_lower"].tolist()
    with pytest.raises(TypeError, match="start"):
        graze.ccd("vf", a.clone().requires_grad_(), b)
    V = torch.zeros(2, 3, dtype=torch.float64)
    V[1, 0] = 1
    assert graze.MeshStepper(2).first_impact(V, V.flip(0)).toi_lower == 0.5
