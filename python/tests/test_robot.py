"""Robots, scenes, paths."""

from __future__ import annotations

import math
import threading

import numpy as np
import pytest

import graze
from graze.robot import Box, Cylinder, Joint, Mesh, Robot, Scene, Sphere
from graze.rigid import Pose

ARM = Robot.generated("arm")
PASSAGE = graze.robot.environment("passage")
has_urdf = pytest.mark.skipif(
    not hasattr(graze._core, "robot_from_urdf"), reason="built without urdfdom"
)


def pendulum() -> Robot:
    """A ball on a string of length 2 about the y axis of the origin; hangs along x at 0."""
    links = {"base": [], "ball": [Sphere(0.25, Pose(translation=(2, 0, 0)))]}
    return Robot("pendulum", links, [Joint("swing", "continuous", "base", "ball", axis=(0, 1, 0))])


def test_a_pendulum_meets_the_floor_when_geometry_tells():
    low = Scene(pendulum(), {"floor": Box((9, 9, 1), Pose(translation=(0, 0, -2.5)))})
    # z of the ball is -2 sin(angle): the floor at -1.5 is reached at -2 sin(a) - 0.25 = -1.5.
    touch = low.check_motion([0], [math.pi / 2])
    expected = math.asin(1.25 / 2) / (math.pi / 2)
    assert touch.verdict == graze.CONTACT
    assert touch.toi_lower <= expected <= touch.toi_upper + 1e-12
    assert touch.contact.a.name == "ball" and touch.contact.b.name == "floor"
    assert not touch.contact.b.is_link
    assert abs(touch.contact.normal[2]) == pytest.approx(1)
    assert low.check_motion([0], [-math.pi / 2]).verdict == graze.SEPARATED


def test_the_paths_of_our_robots():
    for name in ("arm", "torso"):
        scene = Scene(Robot.generated(name), {"table": graze.robot.environment("table")})
        path = graze.robot.generated_path(name)
        result = scene.certify_path(path, threads=2)
        assert result.is_free and result.free_length == len(path) - 1
    blocked = Scene(ARM, {"passage": PASSAGE}).certify_path(graze.robot.generated_path("blocked"))
    assert not blocked.is_free and 0 < blocked.free_length < 1
    assert blocked.segments[0].contact.b.name == "passage"
    assert blocked.segments[0].contact.b.triangle is not None


def test_margins_and_clearances():
    scene = Scene(pendulum(), {"ball": Sphere(1.0, Pose(translation=(4, 0, 0)))})
    result = scene.check_motion([-0.5], [0.5], clearance_accuracy=0.1)
    assert result.verdict == graze.SEPARATED and 0.6 < result.clearance_lower <= 0.75
    near = Scene(pendulum(), {"ball": Sphere(1.0, Pose(translation=(4, 0, 0)))}, margin=0.8)
    assert near.check_motion([-0.5], [0.5]).verdict == graze.CONTACT
    assert near.check_state([1.5]).verdict == graze.SEPARATED


def test_links_that_may_touch():
    assert ("base", "link_1") in Scene(ARM).allowed
    strict = Scene(ARM, derive_allowed=False)
    assert strict.allowed == []
    assert strict.check_state(np.zeros(7)).verdict != graze.SEPARATED
    one = Scene(ARM, derive_allowed=False, allowed=[("link_1", "base")])
    assert one.allowed == [("base", "link_1")]


def test_poses_and_limits():
    poses = ARM.link_poses(np.zeros(7))
    assert poses["link_1"].translation == pytest.approx((0, 0, 0.15))
    ARM.check(np.zeros(7))
    with pytest.raises(graze.Error, match="joint_7"):
        ARM.check([0, 0, 0, 0, 0, 0, 3.5])
    assert [v.name for v in ARM.variables] == [f"joint_{i}" for i in range(1, 8)]


def test_errors():
    with pytest.raises(ValueError, match="no link"):
        Robot("r", {"a": []}, [Joint("j", "fixed", "a", "b")])
    with pytest.raises(graze.Error):
        Robot("r", {"a": [], "b": []}, [Joint("j", "revolute", "a", "b", axis=(0, 0, 0))])
    with pytest.raises(ValueError, match="sliding"):
        Robot("r", {"a": [], "b": []}, [Joint("j", "sliding", "a", "b")])
    with pytest.raises(graze.Error):
        Robot("r", {"a": [Cylinder(-1, 1)]}, [])
    scene = Scene(ARM)
    with pytest.raises(graze.Error):
        scene.check_motion([0], [1])
    with pytest.raises(graze.Error):
        scene.check_state([math.nan] * 7)
    with pytest.raises(graze.Error):
        scene.certify_path([np.zeros(7)])
    with pytest.raises(TypeError):
        scene.check_state(np.zeros(7), tolerance=1)
    with pytest.raises(ValueError):
        Robot.generated("cat")
    with pytest.raises(graze.Error):
        Scene(ARM, margin=-1.0)


def test_threads_may_share_a_scene():
    scene = Scene(ARM, {"passage": Mesh(PASSAGE)})
    start, end = graze.robot.generated_path("blocked")
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(scene.check_motion(start, end)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and len(set(results)) == 1


@has_urdf
def test_urdf_and_srdf(tmp_path):
    urdf = tmp_path / "r.urdf"
    urdf.write_text(
        '<robot name="r"><link name="a"><collision><geometry><sphere radius="1"/></geometry>'
        '</collision></link><link name="b"/><joint name="j" type="continuous">'
        '<parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>'
    )
    robot = Robot.from_urdf(urdf)
    assert robot.links == ["a", "b"] and robot.variables[0].name == "j"
    urdf.write_text(urdf.read_text().replace('"0 0 1"', '"0 0 0"'))
    with pytest.raises(graze.Error, match="axis"):
        Robot.from_urdf(urdf)
    srdf = tmp_path / "r.srdf"
    srdf.write_text('<robot name="r"><disable_collisions link1="a" link2="b"/></robot>')
    assert graze.robot.read_srdf(srdf) == [("a", "b")]
    with pytest.raises(graze.Error):
        Robot.from_urdf(tmp_path / "none.urdf")
