"""Whole meshes: every call, its options and its errors."""

from __future__ import annotations

import copy
import math
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
    assert caught.value.code == "wrong-size" and caught.value.argument == "start"
    bad = W.copy()
    bad[4, 1] = np.nan
    with pytest.raises(ValueError) as caught:
        stepper.first_impact(V, bad)
    assert caught.value.index == 4 and caught.value.argument == "end"
    assert str(caught.value) == "end: the position of vertex 4 is not finite"
    for name, value in [("radius", [-1.0] * 6), ("t_max", 3.0), ("body", [1]), ("threads", -1)]:
        with pytest.raises(graze.InputError, match=name) as caught:
            stepper.first_impact(V, W, **{name: value})
        assert caught.value.argument == name
    with pytest.raises(graze.InputError) as caught:
        stepper.clearance(V, -1.0)
    assert caught.value.argument == "reach"
    with pytest.raises(graze.OutOfRangeError) as caught:
        graze.MeshStepper(5, F=F)
    assert caught.value.index == 1 and caught.value.argument == "F"
    with pytest.raises(ValueError, match="^V: .*-1"):
        graze.MeshStepper(-1)
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


# --- impacts to a function ------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_streamed_impacts_are_all_impacts(threads):
    scene = graze.generate.scene("tumbling-bodies", queries=2000)
    start, end = scene.steps[0]
    stepper = graze.MeshStepper(len(start), F=scene.F)
    batches = []
    streamed = stepper.stream_impacts(
        start, end, batches.append, body=scene.body, threads=threads
    )
    found = np.sort(np.concatenate(batches), order=["kind", "a", "b"])
    expected = stepper.all_impacts(start, end, body=scene.body)
    assert len(expected) > 0 and batches[0].dtype == graze.IMPACT
    assert all((found[name] == expected.impacts[name]).all() for name in graze.IMPACT.names)
    assert streamed.count == len(expected) and streamed.verdict == expected.verdict
    assert streamed.toi_lower <= expected.toi_lower


def test_sinks_cancel_and_fail(scene, stepper):
    V, W, _ = scene
    with pytest.raises(graze.CancelledError):
        stepper.stream_impacts(V, W, lambda rows: False)

    def fails(rows):
        raise ZeroDivisionError("of the sink")

    with pytest.raises(ZeroDivisionError, match="of the sink"):
        stepper.stream_impacts(V, W, fails)
    with pytest.raises(RuntimeError, match="in use"):
        stepper.stream_impacts(V, W, lambda rows: stepper.first_impact(V, W))
    assert stepper.stream_impacts(V, V, fails).count == 0


# --- other meshes, other lines --------------------------------------------------------------------


def test_another_topology_is_that_of_a_new_stepper(scene, stepper):
    V, W, F = scene
    pairs = stepper.candidates(V, W)
    stepper.first_impact(V, W)
    stepper.set_topology(V[:5], E=[[3, 4]], F=F[:1])
    new = graze.MeshStepper(5, E=[[3, 4]], F=F[:1])
    assert (stepper.edges == new.edges).all() and stepper.vertex_count == 5
    found, expected = (s.all_impacts(V[:5], W[:5]) for s in (stepper, new))
    assert found.impacts.tobytes() == expected.impacts.tobytes() and len(found) > 0
    with pytest.raises(graze.InputError):
        stepper.first_impact(V[:5], W[:5], candidates=pairs)
    with pytest.raises(graze.OutOfRangeError):
        stepper.set_topology(2, F=F)
    assert stepper.vertex_count == 5
    other = pickle.loads(pickle.dumps(stepper))
    assert (other.edges == new.edges).all()


def test_callbacks_read_the_topology_and_cannot_change_it(scene, stepper):
    V, W, F = scene
    seen = []
    stepper.line_search(V, W, lambda x: seen.append(stepper.faces) or 0.0)
    assert seen and (seen[0] == F).all()
    with pytest.raises(RuntimeError, match="in use"):
        stepper.line_search(V, W, lambda x: stepper.set_topology(6, F=F))


def test_refitted_candidates_are_those_of_the_new_line(scene, stepper):
    V, W, _ = scene
    pairs = stepper.candidates(V, V, 0.1)
    assert len(pairs) == 0
    stepper.refit(pairs, V, W, 0.1)
    expected = stepper.candidates(V, W, 0.1)
    for kind in graze.KINDS:
        assert (pairs.pairs(kind) == expected.pairs(kind)).all()
    assert stepper.first_impact(V, W, candidates=pairs).toi_lower == pytest.approx(0.5)
    with pytest.raises(ValueError):
        stepper.refit(pairs, V, W * np.nan)
    assert len(pairs) == len(expected)
    with pytest.raises(TypeError, match="candidates"):
        stepper.refit(pairs, V, W, candidates=pairs)


def test_candidates_in_use_are_not_changed(scene, stepper):
    V, W, F = scene
    pairs = stepper.candidates(V, W)
    other = graze.MeshStepper(V, F=F)

    def change(x):
        other.refit(pairs, V, V)

    with pytest.raises(RuntimeError, match="candidates: are in use"):
        stepper.line_search(V, W, change, candidates=pairs)
    with pytest.raises(RuntimeError, match="candidates: are in use"):
        stepper.refit(pairs, V, W, progress=lambda fraction: len(pairs))
    assert len(pairs) == len(stepper.candidates(V, W))


# --- paths ----------------------------------------------------------------------------------------


class Rotation:
    """The upper triangle rotates about the x axis by pi; its path is a curve."""

    def __init__(self, V):
        self.V = V
        self.radius = np.hypot(V[:, 1], V[:, 2])
        self.radius[:3] = 0.0

    def position(self, alpha):
        angle = -math.pi * alpha
        c, s = math.cos(angle), math.sin(angle)
        x = self.V.copy()
        x[3:, 1:] = self.V[3:, 1:] @ np.array([[c, -s], [s, c]]).T
        return x

    def deviation(self, a, b):
        """|x''| = r angle'^2, and the rounding errors of the positions."""
        return self.radius * (math.pi * (b - a)) ** 2 / 8 + 1e-14


def test_curved_paths_are_free_up_to_where_they_touch(scene, stepper):
    V, _, _ = scene
    rotation = Rotation(V)
    step = stepper.largest_safe_step_along(rotation.position, rotation.deviation)
    assert 0 < step.alpha < 1 and step.impact is not None
    assert (step.positions == rotation.position(step.alpha)).all()
    assert step.knots[0] == 0 and step.knots[-1] == step.alpha and (np.diff(step.knots) > 0).all()
    for a in np.linspace(0, step.alpha, 200):
        assert len(stepper.intersections(rotation.position(a))) == 0
    # It does touch, little after.
    touching = rotation.position(min(1.0, step.alpha + 1e-3))
    assert len(stepper.intersections(touching)) > 0
    largest = stepper.largest_safe_step_along(
        rotation.position, lambda a, b: float(rotation.deviation(a, b).max())
    )
    assert largest.alpha == pytest.approx(step.alpha, abs=1e-4)
    coarse = stepper.largest_safe_step_along(rotation.position, rotation.deviation, resolution=0.25)
    assert coarse.alpha < step.alpha and coarse.proofs < step.proofs


def test_line_searches_along_paths(scene, stepper):
    V, _, _ = scene
    rotation = Rotation(V)
    found = stepper.line_search_along(
        rotation.position, rotation.deviation, lambda x: -x[3, 1], min_separation=1e-3
    )
    assert 0 < found.alpha <= found.alpha_free < 1
    assert found.energy == -found.positions[3, 1] < -V[3, 1]


def test_wrong_paths(scene, stepper):
    V, _, _ = scene
    rotation = Rotation(V)

    def along(position=rotation.position, deviation=rotation.deviation, **options):
        return stepper.largest_safe_step_along(position, deviation, **options)

    with pytest.raises(ValueError, match="^position\\(\\): 5 rows"):
        along(position=lambda alpha: V[:5])
    with pytest.raises(ValueError, match="^position\\(\\): has shape"):
        along(position=lambda alpha: V[:, :2])
    with pytest.raises(ValueError, match="^deviation\\(\\): 2 rows"):
        along(deviation=lambda a, b: [0.0, 0.0])
    with pytest.raises(graze.InputError, match="deviation of vertex 0"):
        along(deviation=lambda a, b: -1.0)
    with pytest.raises(ZeroDivisionError):
        along(position=lambda alpha: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        along(deviation=lambda a, b: 1 // 0)
    with pytest.raises(graze.InputError, match="resolution"):
        along(resolution=0.0)
    assert along(deviation=lambda a, b: math.inf, max_proofs=5).alpha == 0.0
