"""Levels, movers and the character."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graze
from graze import slide
from graze.slide import Character, Level

FLOOR = ([[-9, 0, -9], [9, 0, -9], [9, 0, 9], [-9, 0, 9]], [[0, 2, 1], [0, 3, 2]])


@pytest.fixture(params=["float32", "float64"])
def level(request):
    level = Level(request.param)
    assert level.add_part(*FLOOR, tag=[7]) == 0
    return level


def test_moves_keep_the_gap(level):
    position = (0.0, 1.0, 0.0)
    for _ in range(30):
        moved = level.move_and_slide(0.5, position, [0.1, -0.1, 0.05])
        assert moved.gap_proved
        position = moved.position
        assert level.smallest_gap(0.5, position, 1.0).gap_lower > 0
    assert position[0] == pytest.approx(3.0, rel=1e-5)
    assert moved.contacts[0].tag == 7
    assert moved.contacts[0].normal == pytest.approx((0, 1, 0))


def test_sweeps_and_ellipsoids(level):
    r = level.first_contact([0.5, 1.0, 0.5], [0, 2, 0], [0, -2, 0])
    assert r.verdict == graze.CONTACT and r.toi_lower == pytest.approx(0.5, rel=1e-6)
    assert level.first_contact(0.5, [0, 2, 0], [1, 0, 0]).verdict == graze.SEPARATED
    assert level.first_contact(0.5, [0, 2, 0], [0, -2, 0], layers=2).verdict == graze.SEPARATED


def test_every_mover_moves(level):
    for mover in graze.slide.MOVERS:
        assert level.move_and_slide(0.5, [0, 2, 0], [1, 0, 0], mover=mover).stopped == "free"
    with pytest.raises(ValueError, match="mover"):
        level.move_and_slide(0.5, [0, 2, 0], [1, 0, 0], mover="snail")


def test_parts_move_and_go(level):
    lift = level.add_part(np.array(FLOOR[0]) + [0, 1, 0], FLOOR[1])
    assert level.first_contact(0.25, [0, 3, 0], [0, -4, 0]).contact.part == lift
    level.move_part(lift, np.array(FLOOR[0]) - [0, 1, 0])
    assert level.first_contact(0.25, [0, 3, 0], [0, -4, 0]).contact.part == 0
    level.replace_part(lift, [], [])
    assert level.part_count == 2 and level.face_count == 2
    for wrong in (lambda: level.move_part(9, []), lambda: level.replace_part(9, [], [])):
        with pytest.raises(IndexError, match="no part 9"):
            wrong()
    with pytest.raises(graze.Error) as caught:
        level.add_part([[0, 0, 0]] * 3, [[0, 1, 5]])
    assert caught.value.code == "index-out-of-range" and caught.value.argument == "F"
    with pytest.raises(graze.InputError, match="V: vertex 1") as caught:
        level.add_part([[0, 0, 0], [0, np.inf, 0], [1, 1, 1]], [[0, 1, 2]])
    assert caught.value.argument == "V" and caught.value.index == 1


def test_characters_climb_stairs(level):
    level.add_part([[2, 0.3, -9], [9, 0.3, -9], [9, 0.3, 9], [2, 0.3, 9]], FLOOR[1])
    level.add_part([[2, 0, -9], [2, 0.3, -9], [2, 0.3, 9], [2, 0, 9]], FLOOR[1])
    walker = Character(level, 0.5, (0, 0.6, 0), step_height=0.4)
    for _ in range(80):
        assert walker.move((0.05, -0.01, 0)).moved.gap_proved
    assert walker.on_ground and walker.position[1] > 0.79 and walker.position[0] > 3


def test_generated_levels_never_lose_the_gap():
    scene = graze.generate.level("stairs", max_moves=20)
    level = Level()
    for V, F in scene.parts:
        level.add_part(V, F)
    position = scene.start
    for move in scene.moves:
        moved = level.move_and_slide(1.0, position, move)
        assert moved.gap_proved
        position = moved.position


def test_not_finite_is_not_proved(level):
    moved = level.move_and_slide(0.5, [0, 1, 0], [np.nan, 0, 0])
    assert not moved.gap_proved and moved.position == (0, 1, 0)
    with pytest.raises(ValueError, match="start: has shape"):
        level.move_and_slide(0.5, [0, 1], [0, 0, 0])
    with pytest.raises(ValueError, match="dtype"):
        Level("int32")


def test_capsules_stand_on_their_ends(level):
    tall = graze.slide.capsule(0.5, 1.0)
    r = level.first_contact(tall, [0, 3, 0], [0, -3, 0])
    assert r.verdict == graze.CONTACT and r.toi_lower == pytest.approx(0.5, rel=1e-6)
    lying = graze.slide.capsule(0.5, 1.0, (2, 0, 0))
    assert lying.half_axis == (1.0, 0.0, 0.0)
    assert level.first_contact(lying, [0, 3, 0], [0, -3, 0]).toi_lower == pytest.approx(2.5 / 3)
    moved = level.move_and_slide(tall, [0, 2, 0], [1, -2, 0])
    assert moved.gap_proved and moved.position[1] == pytest.approx(1.5, abs=0.02)
    walker = Character(level, tall, (0, 1.6, 0), step_height=0.3)
    for _ in range(20):
        assert walker.move((0.1, -0.05, 0)).moved.gap_proved
    assert walker.on_ground and walker.position[0] == pytest.approx(2.0, rel=1e-4)
    assert pickle.loads(pickle.dumps(tall)) == tall
    for wrong in ((0, 0, 0), (0, np.nan, 0)):
        with pytest.raises(ValueError, match="axis"):
            graze.slide.capsule(0.5, 1.0, wrong)
    with pytest.raises(ValueError, match="half_height"):
        graze.slide.capsule(0.5, -1.0)
    with pytest.raises(ValueError, match="radius"):
        graze.slide.capsule(0.0, 1.0)


def test_levels_are_copied_by_their_parts(level):
    rng = np.random.default_rng(2)
    rough = rng.normal(size=(60, 3)) * [4, 0.3, 4]
    level.add_part(rough, rng.permutation(60).reshape(-1, 3), one_sided=[True], layers=[3])
    door = level.add_part(np.array(FLOOR[0]) + [0, 9, 0], FLOOR[1], tag=[1, 2])
    level.move_part(door, np.array(FLOOR[0]) + [0.1, 0.2, 0.3])
    level.add_part([], [])
    for other in (copy.copy(level), copy.deepcopy(level), pickle.loads(pickle.dumps(level))):
        assert repr(other) == repr(level)
        for _ in range(50):
            start, by = rng.normal(size=3) * 3, rng.normal(size=3)
            assert other.move_and_slide(0.4, start, by) == level.move_and_slide(0.4, start, by)
            assert other.first_contact(0.4, start, by, layers=2) == level.first_contact(
                0.4, start, by, layers=2
            )
        other.move_part(door, np.array(FLOOR[0]) + [0, 5, 0])  # it has as many vertices
        assert other.smallest_gap(0.5, [0, 5, 0], 0.2).contact.part == door


@given(
    dtype=st.sampled_from(["f8", "f4", ">f8", "f2", "i4"]),
    layout=st.sampled_from(["C", "F", "reversed", "list", "read-only", "temporary"]),
    kept=st.sampled_from(["float32", "float64"]),
)
def test_types_and_strides_of_parts_do_not_change_a_bit(dtype, layout, kept):
    V = np.array(FLOOR[0]).astype(dtype)
    F = np.array(FLOOR[1])
    arranged = {
        "C": V,
        "F": np.asfortranarray(V),
        "reversed": V[::-1].copy()[::-1],
        "list": V.tolist(),
        "read-only": V.copy(),
        "temporary": V + 0,
    }[layout]
    if layout == "read-only":
        arranged.flags.writeable = False
    levels = Level(kept), Level(kept)
    levels[0].add_part(FLOOR[0], F)
    levels[1].add_part(arranged, F[::-1].copy()[::-1])
    one, other = (level.move_and_slide(0.5, [0, 1, 0], [1, -2, 0.5]) for level in levels)
    assert one == other
    for wrong in (V[:, :2], V.ravel(), V[None]):
        with pytest.raises(ValueError, match="^V: has shape"):
            levels[1].add_part(wrong, F)


def world_with_floor(dtype):
    world = slide.World(dtype)
    mesh = world.add_mesh(
        [[-9, 0, -9], [9, 0, -9], [9, 0, 9], [-9, 0, 9]], [[0, 2, 1], [0, 3, 2]]
    )
    part = world.add_part(mesh)
    world.update()
    return world, part


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_character_is_carried_by_what_it_stands_on(dtype):
    world, lift = world_with_floor(dtype)
    hero = slide.CapsuleCharacter(world, 0.4, 1.8, feet=(0, 0.1, 0))
    assert hero.move((0, -0.2, 0)).landed and hero.on_ground
    for i in range(1, 21):
        world.move_part(lift, graze.rigid.Pose(translation=(0.05 * i, 0.1 * i, 0)))
        world.update()
        frame = hero.move((0, -0.01, 0))
        assert frame.gap_proved and frame.ride == "carried" and frame.ground.part == lift
    assert hero.feet[0] == pytest.approx(1.0, abs=0.01)
    assert hero.feet[1] == pytest.approx(2.0, abs=0.02)
    assert world.frame == 21


def test_a_character_crouches_and_gets_up_only_where_there_is_room():
    world, _ = world_with_floor("float64")
    ceiling = world.add_mesh(
        [[-9, 1.5, -9], [9, 1.5, -9], [9, 1.5, 9], [-9, 1.5, 9]], [[0, 1, 2], [0, 2, 3]]
    )
    part = world.add_part(ceiling)
    world.update()
    hero = slide.CapsuleCharacter(world, 0.4, 1.2, feet=(0, 0.1, 0))
    hero.move((0, -0.2, 0))
    assert not hero.change_body(0.4, 1.8)
    world.remove_part(part)
    world.update()
    assert hero.change_body(0.4, 1.8)
    with pytest.raises(ValueError, match="radius"):
        slide.CapsuleCharacter(world, 0.0, 1.8, feet=(0, 0, 0))
    with pytest.raises(graze.Error):
        world.add_part(99)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_rounded_box_rests_on_its_face_however_it_is_rotated(dtype):
    level = slide.Level(dtype)
    level.add_part([[-9, 0, -9], [9, 0, -9], [9, 0, 9], [-9, 0, 9]], [[0, 2, 1], [0, 3, 2]])
    half = float(np.sqrt(0.5))
    for rotation, height in (((1, 0, 0, 0), 0.25), ((half, half, 0, 0), 0.5)):
        box = slide.RoundedBox((1.0, 0.25, 0.5), 0.125, rotation)
        moved = level.move_and_slide(box, (0, 2, 0), (0.5, -3, 0))
        assert moved.gap_proved and moved.position[1] == pytest.approx(height, abs=0.01)
    with pytest.raises(ValueError, match="rounding"):
        slide.RoundedBox((1.0, 0.25, 0.5), 0.3)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_world_has_spheres_capsules_boxes_and_height_fields(dtype):
    world = slide.World(dtype)
    heights = np.zeros((5, 7))
    heights[4, 6] = np.nan
    ground = world.add_part(world.add_height_field(heights, spacing=(2, 3), tag=[7]))
    at = graze.rigid.Pose
    sphere = world.add_part(world.add_sphere(0.5, tag=1), at(translation=(4, 0.5, 6)))
    post = world.add_part(world.add_capsule(0.25, 1.0, tag=2), at(translation=(8, 1, 6)))
    crate = world.add_part(world.add_box((0.5, 0.5, 0.5), tag=3), at(translation=(4, 0.5, 10)))
    world.update()
    assert world.part_count == 4 and world.face_count == 48 + 1 + 1 + 12
    for origin, part, tag, met in (
        ((2, 0.5, 6), sphere, 1, 1.5),
        ((7, 0.5, 6), post, 2, 0.75),
        ((2, 0.5, 10), crate, 3, 1.5),
    ):
        ray = world.cast_ray(origin, (4, 0, 0))
        assert ray.verdict == graze.Verdict.CONTACT
        assert (ray.contact.part, ray.contact.tag) == (part, tag)
        assert 4 * ray.toi_lower == pytest.approx(met, abs=1e-4) and 4 * ray.toi_lower <= met
        assert ray.contact.normal == pytest.approx((-1, 0, 0), abs=1e-5)
    down = world.cast_ray((6, 2, 6), (0, -4, 0))
    assert (down.contact.part, down.contact.tag) == (ground, 7)
    assert world.cast_ray((11.9, 2, 11.9), (0, -4, 0)).verdict == graze.Verdict.SEPARATED
    near = world.nearest_point((4, 0.5, 7), 2.0)
    assert near.found and near.contact.part == sphere
    assert near.distance_lower == pytest.approx(0.5, abs=1e-5) and near.distance_lower <= 0.5
    # What is solid has an inside; what is not in the layers is not there.
    assert world.overlap_at(0.1, (4, 0.5, 10)) == graze.Verdict.CONTACT
    assert world.overlap_at(0.1, (4, 0.5, 10), layers=2) == graze.Verdict.SEPARATED
    assert world.overlap_at(0.1, (6, 1, 8)) == graze.Verdict.SEPARATED
    assert world.smallest_gap(0.25, (4, 0.5, 10), 1.0).gap_lower < 0.0
    for shape in (0.3, (0.2, 0.4, 0.3), slide.capsule(0.2, 0.4), slide.RoundedBox((0.3, 0.3, 0.3), 0.1)):
        moved = world.move_and_slide(shape, (2, 1, 6), (3, -1, 0))
        assert moved.gap_proved and moved.contacts
        assert world.overlap_at(shape, moved.position, moved.skin) == graze.Verdict.SEPARATED
    for wrong in (
        lambda: world.add_sphere(0.0),
        lambda: world.add_capsule(1.0, -1.0),
        lambda: world.add_box((1.0, float("nan"), 1.0)),
        lambda: world.add_height_field(np.zeros((1, 5))),
        lambda: world.add_height_field(np.zeros(5)),
    ):
        with pytest.raises((graze.Error, ValueError)):
            wrong()
    with pytest.raises(TypeError):
        world.add_sphere(1.0, colour=3)


def test_a_sphere_that_moves_pushes_a_character():
    world, _ = world_with_floor("float32")
    ball = world.add_part(world.add_sphere(1.0), graze.rigid.Pose(translation=(-3, 1.0, 0)))
    world.update()
    hero = slide.CapsuleCharacter(world, 0.4, 1.8, feet=(0, 0.1, 0))
    assert hero.move((0, -0.2, 0)).landed
    rides = []
    for i in range(1, 41):
        world.move_part(ball, graze.rigid.Pose(translation=(-3 + 0.1 * i, 1.0, 0)))
        world.update()
        frame = hero.move((0, -0.01, 0))
        assert frame.gap_proved
        rides.append(frame.ride)
    assert "pushed" in rides and hero.feet[0] > 2.0
