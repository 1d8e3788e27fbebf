"""Whole meshes: every call, its options and its errors."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graze


@pytest.fixture
def stepper(scene):
    V, _, F = scene
    return graze.MeshStepper(V, F=F)


def test_first_impact_finds_the_time_and_the_pair(scene, stepper):
    V, W, _ = scene
    first = stepper.first_impact(V, W)
    assert first.verdict == graze.CONTACT
    assert first.toi_lower <= 0.5 <= first.toi_upper
    assert first.impact.kind == "vf" and first.impact.b == 0
    assert first.contact.normal == pytest.approx((0, 0, 1))
    assert first.work["candidates"]["vf"] >= 3
    assert stepper.first_impact(V, V).verdict == graze.SEPARATED


def test_all_impacts_are_those_of_single_queries(scene, stepper):
    V, W, F = scene
    impacts = stepper.all_impacts(V, W)
    for row in impacts.impacts:
        if row["kind"] == 0:
            corners = [row["a"], *stepper.faces[row["b"]]]
            kind = "vf"
        else:
            corners = [*stepper.edges[row["a"]], *stepper.edges[row["b"]]]
            kind = "ee"
        answer = graze.ccd(kind, V[corners], W[corners])
        assert answer["toi_lower"] == row["toi_lower"] and answer["toi_upper"] == row["toi_upper"]
    assert len(impacts) == 3 and impacts.impacts[impacts.first]["toi_lower"] == impacts.toi_lower
    points = stepper.contacts(V, W, impacts.impacts)
    assert (abs(points["on_a"] - points["on_b"]) < 1e-9).all()
    bad = impacts.impacts.copy()
    bad["b"][1] = 99
    with pytest.raises(IndexError, match="impacts: row 1"):
        stepper.contacts(V, W, bad)


def test_safe_steps_are_free(scene, stepper):
    V, W, _ = scene
    step = stepper.largest_safe_step(V, W, min_separation=1e-3)
    assert 0.49 < step.fraction < 0.5
    assert stepper.first_impact(V, step.positions).verdict == graze.SEPARATED
    fractions = stepper.free_fractions(V, W)
    assert (fractions.fraction > 0.4).all() and (fractions.fraction[3:] < 0.5).all()
    assert stepper.first_impact(V, fractions.positions).verdict == graze.SEPARATED


def test_line_search_lowers_the_energy_of_a_python_function(scene, stepper):
    V, W, _ = scene
    seen = []

    def energy(x):
        seen.append(x)
        assert x.shape == (6, 3)
        return float(((x - W) ** 2).sum())

    result = stepper.line_search(V, W, energy, kept_fraction=0.1)
    assert 0.3 < result.alpha < 0.5
    assert result.energy == energy(result.positions) < energy(V)
    assert result.evaluations == len(seen) - 2
    assert (seen[0] == V).all()  # what was passed stays as it was


def test_exceptions_of_callbacks_reach_the_caller(scene, stepper):
    V, W, _ = scene

    def fails(*_):
        raise ZeroDivisionError("of the callback")

    with pytest.raises(ZeroDivisionError, match="of the callback"):
        stepper.line_search(V, W, fails)
    with pytest.raises(ZeroDivisionError, match="of the callback"):
        stepper.first_impact(V, W, accepts=fails)
    with pytest.raises(ZeroDivisionError, match="of the callback"):
        stepper.first_impact(V, W, progress=fails)
    with pytest.raises(TypeError):
        stepper.line_search(V, W, lambda x: None)
    with pytest.raises(graze.CancelledError):
        stepper.first_impact(V, W, progress=lambda fraction: False)
    with pytest.raises(RuntimeError, match="in use"):
        stepper.line_search(V, W, lambda x: stepper.first_impact(V, W).toi_lower)
    assert stepper.first_impact(V, W).verdict == graze.CONTACT  # still works


def test_filters_leave_pairs_out(scene, stepper):
    V, W, _ = scene
    body = [0, 0, 0, 1, 1, 1]
    assert stepper.first_impact(V, W, body=body, within_bodies=False).impact is not None
    assert stepper.first_impact(V, W, body=[0] * 6, within_bodies=False).impact is None
    assert stepper.first_impact(V, W, fixed=[True] * 6).impact is None
    assert stepper.first_impact(V, W, layers=[1] * 6, mask=[2] * 6).impact is None
    assert stepper.first_impact(V, W, accepts=lambda kind, a, b: kind == "ee").impact is None
    thick = stepper.first_impact(V, W, radius=np.full(6, 0.1))
    assert thick.toi_lower < 0.41
    with pytest.raises(IndexError, match="body: row 1 holds -1"):
        stepper.first_impact(V, W, body=[0, -1, 0, 0, 0, 0])
    with pytest.raises(graze.InputError, match="radi"):
        stepper.first_impact(V, W, radius=[0.1])


def test_candidates_save_the_broad_phase(scene, stepper):
    V, W, _ = scene
    pairs = stepper.candidates(V, W, 0.1)
    assert len(pairs) == len(pairs.pairs("vf")) + len(pairs.pairs("ee"))
    for found in (pairs, copy.copy(pairs), copy.deepcopy(pairs)):
        assert stepper.first_impact(V, W, candidates=found).toi_lower == pytest.approx(0.5)
    with pytest.raises(TypeError, match="candidates"):
        stepper.first_impact(V, W, candidates=[1, 2])
    with pytest.raises(graze.InputError) as caught:
        stepper.first_impact(V, W + 5, candidates=pairs)
    assert caught.value.index is not None


def test_states_are_checked_exactly(scene, stepper):
    V, W, _ = scene
    assert len(stepper.intersections(V)) == 0
    middle = V.copy()
    middle[3:, 2] = [0.5, -0.5, 0.5]
    found = stepper.intersections(middle)
    assert {graze.INTERSECTION_KINDS[k] for k in found["kind"]} == {"edge-face"}
    assert stepper.clearance(V, 10.0).least == pytest.approx(1)
    radii = stepper.free_radii(V, 10.0)
    assert radii.shape == (6,) and (radii[3:] <= 0.5).all() and (radii > 0.4).all()


def test_active_sets_are_constraints(scene, stepper):
    V, W, _ = scene
    rows = stepper.active_set(V, W, min_separation=0.01)
    assert len(rows) >= 3 and (rows["value"] < -0.9).all()
    assert np.allclose(rows["normal"], [0, 0, 1])


def test_errors_name_the_argument_and_the_index(scene, stepper):
    V, W, F = scene
    with pytest.raises(ValueError, match="^start: has shape"):
        stepper.first_impact(V[:, :2], W)
    with pytest.raises(graze.InputError) as caught:
        stepper.first_impact(V[:5], W)
    assert caught.value.code == "wrong-size"
    bad = W.copy()
    bad[4, 1] = np.nan
    with pytest.raises(ValueError) as caught:
        stepper.first_impact(V, bad)
    assert caught.value.index == 4 and "4" in str(caught.value)
    with pytest.raises(graze.OutOfRangeError) as caught:
        graze.MeshStepper(5, F=F)
    assert caught.value.index == 1
    with pytest.raises(IndexError, match="^F: row 0 holds -1"):
        graze.MeshStepper(5, F=[[0, -1, 2]])
    with pytest.raises(ValueError, match="^F: has shape"):
        graze.MeshStepper(5, F=[[0, 1]])
    with pytest.raises(TypeError, match="^F: has dtype"):
        graze.MeshStepper(5, F=[[0.0, 1.0, 2.0]])
    with pytest.raises(TypeError, match="no option"):
        stepper.first_impact(V, W, sepration=1)


def test_steppers_are_pickled_and_copied_by_their_topology(scene):
    V, W, F = scene
    stepper = graze.MeshStepper(V, E=[[0, 5]], F=F)
    for other in (pickle.loads(pickle.dumps(stepper)), copy.copy(stepper), copy.deepcopy(stepper)):
        assert (other.edges == stepper.edges).all() and (other.faces == stepper.faces).all()
        assert other.first_impact(V, W).impact == stepper.first_impact(V, W).impact


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4"])
def test_indices_of_any_type(scene, dtype):
    V, W, F = scene
    for faces in (F.astype(dtype), np.asfortranarray(F.astype(dtype)), F.astype(dtype)[::-1]):
        assert graze.MeshStepper(V, F=faces).first_impact(V, W).verdict == graze.CONTACT


@given(threads=st.integers(1, 4), seed=st.integers(0, 3))
def test_the_number_of_threads_changes_no_bit(threads, seed):
    scene = graze.generate.scene("tumbling-bodies", seed=seed, queries=100)
    start, end = scene.steps[0]
    stepper = graze.MeshStepper(len(start), F=scene.F)
    one = stepper.all_impacts(start, end, body=scene.body, threads=1)
    many = stepper.all_impacts(start, end, body=scene.body, threads=threads)
    assert one.impacts.tobytes() == many.impacts.tobytes()


def test_empty_meshes_and_points():
    assert graze.MeshStepper(0).first_impact(np.zeros((0, 3)), []).verdict == graze.SEPARATED
    r = graze.MeshStepper(2).all_impacts([[0, 0, 0], [1, 0, 0]], [[1, 0, 0], [0, 0, 0]])
    assert r.impacts["kind"].tolist() == [2]


@given(
    dtype=st.sampled_from(["f8", "f4", ">f8", "f2"]),
    layout=st.sampled_from(["C", "F", "reversed", "columns", "list", "read-only"]),
)
def test_types_and_strides_of_positions_do_not_change_a_bit(dtype, layout):
    rng = np.random.default_rng(3)
    start, end = (rng.normal(size=(40, 3)).astype(dtype) for _ in range(2))
    stepper = graze.MeshStepper(40, F=np.arange(39).reshape(-1, 3))
    expected = stepper.all_impacts(start.astype("f8"), end.astype("f8"))

    def arranged(a):
        if layout == "F":
            return np.asfortranarray(a)
        if layout == "reversed":
            return a[::-1].copy()[::-1]
        if layout == "columns":
            return np.concatenate([a, a], axis=1)[:, :3]
        if layout == "list":
            return a.tolist()
        if layout == "read-only":
            a = a.copy()
            a.flags.writeable = False
        return a

    found = stepper.all_impacts(arranged(start), arranged(end))
    assert len(expected) > 0 and found.impacts.tobytes() == expected.impacts.tobytes()
