"""Rigid bodies, poses, steppers."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graze
from graze.rigid import Body, BodyStep, Pose, SafeStepper

CUBE = Body(*graze.generate.model("cube"))
FALL = BodyStep(Pose(translation=(0, 0, 3)), Pose(translation=(0, 0, 0)))


def test_the_first_impact_of_a_swing_is_proved():
    r = graze.rigid.first_impact(CUBE, CUBE, FALL, BodyStep.rest())
    assert r.verdict == graze.CONTACT and r.start == "separated"
    assert r.toi_lower <= 2 / 3 <= r.toi_upper < 2 / 3 + 1e-6
    assert r.contact.type == "ff" and abs(r.contact.normal[2]) == pytest.approx(1)
    near = graze.rigid.first_impact(CUBE, CUBE, FALL, BodyStep.rest(), min_separation=0.5)
    assert near.toi_lower <= 0.5 <= near.toi_upper
    away = BodyStep(Pose(translation=(0, 0, 3)), Pose.about([0, 0, 1], 1.0, (0, 0, 4)))
    assert graze.rigid.first_impact(CUBE, CUBE, away, BodyStep.rest()).verdict == graze.SEPARATED


def test_all_collisions():
    turned = BodyStep(Pose.about([1, 1, 0], 0.3, (0, 0, 3)), Pose.about([1, 1, 0], 0.4))
    all_of_them = graze.rigid.all_impacts(CUBE, CUBE, turned, BodyStep.rest())
    assert len(all_of_them.collisions) > 0
    assert (np.diff(all_of_them.collisions["time_lower"]) >= 0).all()
    first = graze.rigid.first_impact(CUBE, CUBE, turned, BodyStep.rest())
    assert all_of_them.collisions["time_upper"][0] >= first.toi_lower
    raster = graze.rigid.raster_collisions(CUBE, CUBE, turned, BodyStep.rest())
    assert len(raster.collisions) > 0 and not raster.may_miss


def test_states_and_distances():
    far = Pose(translation=(0, 0, 3))
    assert graze.rigid.start_state(CUBE, Pose(), CUBE, far) == "separated"
    assert graze.rigid.start_state(CUBE, Pose(), CUBE, Pose()) == "contact"
    d = graze.rigid.distance(CUBE, Pose(), CUBE, far)
    assert d.lower <= 2 <= d.upper < 2.0001 and d.nearest is not None


def test_steppers_never_let_bodies_overlap():
    stepper = SafeStepper([CUBE, CUBE], [Pose(), Pose(translation=(0, 0, 2))], target_separation=0.01)
    for k in range(5):
        report = stepper.step([Pose(), Pose.about([1, 0, 0], 0.2 * k, (0, 0, 0))])
        assert len(report.fractions) == 2
        a, b = stepper.poses
        assert graze.rigid.start_state(CUBE, a, CUBE, b) == "separated"
    assert stepper.search([Pose(), Pose()])[0].impact.verdict == graze.CONTACT
    with pytest.raises(graze.InputError):
        SafeStepper([CUBE, CUBE], [Pose(), Pose()])
    SafeStepper([CUBE, CUBE], [Pose(), Pose()], pairs=[])  # who never meet may overlap
    with pytest.raises(IndexError, match="pairs: row 0"):
        SafeStepper([CUBE, CUBE], [Pose(), Pose()], pairs=[[0, -1]])
    with pytest.raises(graze.Error):
        stepper.step([Pose()])


def test_poses():
    quarter = Pose.about([0, 0, 2], math.pi / 2, (1, 2, 3))
    assert np.allclose(quarter.apply([[1, 0, 0]]), [[1, 3, 3]])
    assert np.allclose((quarter @ quarter.inverse()).matrix(), np.eye(4))
    again = Pose.from_matrix(quarter.matrix())
    assert np.allclose(again.matrix(), quarter.matrix())
    assert BodyStep(Pose(), quarter).at(1.0) == quarter
    with pytest.raises(graze.InputError, match="matrix"):
        Pose.from_matrix(2 * np.eye(4))
    with pytest.raises(graze.InputError):
        graze.rigid.first_impact(CUBE, CUBE, BodyStep.rest(Pose((2.0, 0, 0, 0))), BodyStep.rest())
    for other in (copy.copy(quarter), copy.deepcopy(quarter), pickle.loads(pickle.dumps(quarter))):
        assert other == quarter and hash(other) == hash(quarter)


def test_bodies_are_values(tmp_path):
    graze.io.write_mesh(tmp_path / "cube.obj", CUBE.vertices, CUBE.faces)
    read = Body.read(tmp_path / "cube.obj")
    for other in (read, copy.deepcopy(CUBE), pickle.loads(pickle.dumps(CUBE))):
        assert (other.vertices == CUBE.vertices).all() and len(other.faces) == 6
    assert CUBE.is_closed and CUBE.report == "" and len(CUBE.triangles) == 12
    V, F = graze.generate.model("cube")
    inside_out = Body(V, [f[::-1] for f in F])
    assert inside_out.report != "" and inside_out.oriented().report == ""


def test_wrong_bodies_and_options():
    V, F = graze.generate.model("cube")
    with pytest.raises(graze.Error) as caught:
        Body(V, [[0, 1, 99]])
    assert caught.value.index == 0
    V[3, 1] = np.inf
    with pytest.raises(graze.Error) as caught:
        Body(V, F)
    assert caught.value.index == 3
    with pytest.raises(ValueError, match="model"):
        graze.rigid.first_impact(CUBE, CUBE, FALL, FALL, model="jelly")
    with pytest.raises(ValueError, match="t_max"):
        graze.rigid.first_impact(CUBE, CUBE, FALL, FALL, t_max=7.0)
    with pytest.raises(TypeError, match="no option"):
        graze.rigid.first_impact(CUBE, CUBE, FALL, FALL, tmax=1.0)
    with pytest.raises(ValueError, match="relative_width"):
        graze.rigid.distance(CUBE, Pose(), CUBE, FALL.start, relative_width=0.0)


def test_errors_of_bodies_name_the_argument():
    bent = Pose((2.0, 0, 0, 0))
    rest, high = BodyStep.rest(), FALL.start
    V, F = graze.generate.model("cube")
    odd = V.copy()
    odd[3, 1] = np.inf
    wrong = {
        "step_a": lambda: graze.rigid.first_impact(CUBE, CUBE, BodyStep.rest(bent), rest),
        "step_b": lambda: graze.rigid.all_impacts(CUBE, CUBE, rest, BodyStep(high, bent)),
        "pose_b": lambda: graze.rigid.distance(CUBE, high, CUBE, bent),
        "start": lambda: SafeStepper([CUBE, CUBE], [Pose(), Pose()]),
        "taken_fraction": lambda: SafeStepper([CUBE, CUBE], [Pose(), high], taken_fraction=2.0),
        "targets": lambda: SafeStepper([CUBE, CUBE], [Pose(), high]).step([Pose()]),
        "F": lambda: Body(V, [[0, 1, 99]]),
        "V": lambda: Body(odd, F),
    }
    for argument, call in wrong.items():
        with pytest.raises(graze.Error, match=argument) as caught:
            call()
        assert caught.value.argument == argument


# --- pixels and impulses --------------------------------------------------------------------------


def test_pixels_find_what_the_raster_finds():
    turned = BodyStep(Pose.about([1, 1, 0], 0.3, (0, 0, 3)), Pose.about([1, 1, 0], 0.4))
    found = graze.rigid.pixel_collisions(CUBE, CUBE, turned, BodyStep.rest(), drawn=True)
    first = graze.rigid.first_impact(CUBE, CUBE, turned, BodyStep.rest())
    assert found.collisions["time"][0] == pytest.approx(first.toi_upper, abs=0.05)
    assert (np.diff(found.collisions["time"]) >= 0).all()
    assert found.statistics["records_a"] > 0 and set(found.drawn["of_a"]) == {0, 1}
    assert graze.rigid.pixel_collisions(CUBE, CUBE, turned, BodyStep.rest()).drawn is None
    with pytest.raises(graze.Error, match="max_pixels"):
        graze.rigid.pixel_collisions(CUBE, CUBE, turned, BodyStep.rest(), max_pixels=10)
    with pytest.raises(TypeError, match="no option"):
        graze.rigid.pixel_collisions(CUBE, CUBE, turned, BodyStep.rest(), pixels=1)


def test_boxes_bounce_and_never_overlap():
    """A cube falls on one that rests: impulses for the first group of contacts, frame by frame."""
    from graze.rigid import Mass, Velocity, apply_impulses, first_contacts

    start = [Pose(), Pose(translation=(0.1, 0.05, 1.3))]
    stepper = SafeStepper([CUBE, CUBE], start, list_collisions=True, target_separation=1e-3)
    masses = [Mass(), Mass(1.0, (6.0, 6.0, 6.0))]
    velocities = [Velocity(), Velocity(linear=(0.0, 0.0, -2.0))]
    bounced = 0
    for _ in range(12):
        x, y, z = stepper.poses[1].translation
        a, b, c = velocities[1].linear
        dt = 0.05
        target = Pose(stepper.poses[1].rotation, (x + dt * a, y + dt * b, z + dt * c))
        report = stepper.step([Pose(), target])
        for obstruction in report.obstructions:
            assert obstruction.steps[0] == BodyStep(Pose(), Pose())
            contacts = first_contacts(obstruction)
            found = apply_impulses(contacts, masses, velocities, restitution=0.5)
            velocities = found.velocities
            bounced += (found.impulses > 0).any()
        assert graze.rigid.start_state(CUBE, Pose(), CUBE, stepper.poses[1]) == "separated"
    assert bounced > 0 and velocities[1].linear[2] > 0
    assert pickle.loads(pickle.dumps(contacts)) == contacts


def test_wrong_impulses():
    from graze.rigid import ImpulseContact, Mass, Velocity, apply_impulses

    contact = ImpulseContact(0, 1, (0, 0, 0), (0, 0, 1), Pose(), Pose())
    two = [Mass(), Mass(1.0, (1, 1, 1))], [Velocity(), Velocity()]
    with pytest.raises(IndexError, match="contacts: contact 1 names body 9 of 2"):
        apply_impulses([contact, ImpulseContact(0, 9, (0, 0, 0), (0, 0, 1), Pose(), Pose())], *two)
    with pytest.raises(ValueError, match="velocities"):
        apply_impulses([contact], two[0], two[1][:1])
    with pytest.raises(ValueError, match="contacts"):
        apply_impulses(
            [ImpulseContact(0, 1, (0, 0, 0), (0, 0, 1), Pose((2.0, 0, 0, 0)), Pose())], *two
        )
    for wrong in ({"restitution": 2.0}, {"friction": -1.0}, {"max_sweeps": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            apply_impulses([contact], *two, **wrong)
    assert apply_impulses([], *two).velocities == two[1]


@given(
    dtype=st.sampled_from(["f8", "f4", ">f8", "f2"]),
    layout=st.sampled_from(["C", "F", "reversed", "list", "read-only"]),
    corners=st.sampled_from(["u1", "i4", "i8"]),
)
def test_types_and_strides_of_bodies_do_not_change_a_bit(dtype, layout, corners):
    V, F = graze.generate.model("cube")  # its coordinates are exact in every type
    V = V.astype(dtype)
    arranged = {
        "C": V,
        "F": np.asfortranarray(V),
        "reversed": V[::-1].copy()[::-1],
        "list": V.tolist(),
        "read-only": V.copy(),
    }[layout]
    if layout == "read-only":
        arranged.flags.writeable = False
    body = Body(arranged, [np.asarray(f, corners) for f in F])
    assert (body.vertices == CUBE.vertices).all()
    assert graze.rigid.first_impact(body, CUBE, FALL, BodyStep.rest()) == graze.rigid.first_impact(
        CUBE, CUBE, FALL, BodyStep.rest()
    )
    assert (FALL.start.apply(arranged) == FALL.start.apply(CUBE.vertices)).all()
    for wrong in (V[:, :2], V.ravel(), V[None]):
        with pytest.raises(ValueError, match="^V: has shape"):
            Body(wrong, F)
