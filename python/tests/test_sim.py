"""Simulations: scenes, step by step, whole runs."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

import graze

sim = pytest.importorskip("graze.sim", reason="built without the simulators")


def small(**more):
    """A soft ball that falls on a plane, and touches it after a few steps."""
    return sim.Scene.from_json({
        "name": "small",
        "frames": 3,
        "solver": {"dt": 0.02, "steps_per_frame": 2},
        "bodies": [
            {"shape": "ball", "radius": 0.5, "cells": 2, "position": [0, 0, 0.56],
             "velocity": [0, 0, -2]},
            {"type": "obstacle", "shape": "plane", "radius": 2, "cells": 2},
        ],
        **more,
    })


def test_scenes_have_names_and_arrays():
    assert "stack" in sim.SCENES and all(sim.SCENES.values())
    scene = small(contact={"friction": 0.2})
    assert (scene.name, scene.frames, scene.steps_per_frame, scene.friction) == ("small", 3, 2, 0.2)
    arrays = scene.arrays()
    n = len(scene.V)
    assert arrays["mass"].shape == (n,) and arrays["start_velocity"].shape == (n, 3)
    assert scene.F.max() < n and scene.E.max() < n
    assert arrays["fixed"].sum() > 0 and set(arrays["body"]) == {0, 1}
    assert scene.intersections(scene.V) == 0
    assert repr(scene) == f"Scene('small', {n} vertices)"


@pytest.mark.parametrize("threads", [1, 2])
def test_steps_are_proved_free_and_the_same_for_any_number_of_threads(threads):
    scene = small()
    run = sim.Simulation(scene, threads=threads, check=True)
    other = sim.Simulation(scene)
    before = run.x
    for number in (1, 2, 3):
        stats = run.frame()
        assert (stats.crossings, stats.intersections, stats.steps) == (0, 0, 2)
        assert run.frame_number == stats.frame == number
        other.step()
        other.step()
        assert other.x.tobytes() == run.x.tobytes() and other.v.tobytes() == run.v.tobytes()
    assert run.time == pytest.approx(0.12) and other.frame_number == 0
    assert stats.contacts > 0 and stats.tested > 0
    assert (before[:, 2] != run.x[:, 2]).any()
    stepper = graze.MeshStepper(before, F=scene.F)
    assert len(stepper.intersections(run.x, body=scene.arrays()["body"], within_bodies=False)) == 0


def test_states_are_values():
    run = sim.Simulation(small())
    run.step()
    x, v = run.x, run.v
    x[0] = 99.0  # the caller's
    assert run.x[0, 0] != 99.0
    for other in (copy.deepcopy(run), pickle.loads(pickle.dumps(run))):
        assert other.time == run.time and (other.x == run.x).all()
        run_stats, other_stats = run_copy(run), other.step()
        assert (run_stats.iterations, run_stats.tested) == (
            other_stats.iterations, other_stats.tested)
    back = sim.Simulation(run.scene)
    back.set_state(run.x, v, time=run.time, frame=7)
    assert back.frame_number == 7 and back.frame().frame == 8
    scene = pickle.loads(pickle.dumps(run.scene))
    assert (scene.V == run.scene.V).all() and scene.name == "small"


def run_copy(run):
    return copy.copy(run).step()


def test_whole_runs_write_files_and_resume(tmp_path):
    scene = small()
    seen = []
    report = sim.run(scene, 2, out=tmp_path / "all", check=True, on_frame=seen.append)
    assert report.frames == seen and len(seen) == 2 and report.total.crossings == 0
    by_steps = sim.Simulation(scene)
    by_steps.frame()
    by_steps.frame()
    assert by_steps.x.tobytes() == report.x.tobytes()

    class Enough(Exception):
        pass

    def stop(stats):
        raise Enough

    with pytest.raises(Enough):
        sim.run(scene, 2, out=tmp_path / "cut", on_frame=stop)
    again = sim.run(scene, 2, out=tmp_path / "cut", resume=True)
    assert again.resumed_at == 1 and again.x.tobytes() == report.x.tobytes()
    assert (tmp_path / "cut/frame_000002.obj").read_bytes() == (
        tmp_path / "all/frame_000002.obj").read_bytes()


def test_scenes_in_files(tmp_path):
    graze.io.write_mesh(tmp_path / "floor.obj", [[-2, -2, 0], [2, -2, 0], [0, 2, 0]], [[0, 1, 2]])
    (tmp_path / "scene.json").write_text(json.dumps({
        "bodies": [
            {"shape": "ball", "radius": 0.5, "cells": 2, "position": [0, 0, 1]},
            {"type": "obstacle", "shape": "mesh", "file": "floor.obj"},
        ],
    }))
    scene = sim.Scene.read(tmp_path / "scene.json")
    assert (scene.V[-3:, 2] == 0).all()
    assert (copy.copy(scene).V == scene.V).all()


def test_what_is_wrong_is_named(tmp_path):
    with pytest.raises(graze.InputError, match="no-such-scene"):
        sim.Scene("no-such-scene")
    with pytest.raises(ValueError, match="resolution"):
        sim.Scene("stack", 0.0)
    with pytest.raises(graze.Error, match="contact.friktion"):
        sim.Scene.from_json({"scene": "stack", "contact": {"friktion": 1}})
    with pytest.raises(graze.Error):
        sim.Scene.from_json("{")
    with pytest.raises(FileNotFoundError):
        sim.Scene.read(tmp_path / "none.json")
    scene = small()
    run = sim.Simulation(scene)
    with pytest.raises(ValueError, match="^x: 2 rows"):
        run.set_state(np.zeros((2, 3)), run.v)
    with pytest.raises(ValueError, match="^v: has shape"):
        run.set_state(run.x, np.zeros(3))
    bad = run.v
    bad[4, 1] = np.nan
    with pytest.raises(graze.InputError, match="^v: .*vertex 4") as caught:
        run.set_state(run.x, bad)
    assert caught.value.index == 4
    low = run.x
    low[: -9, 2] -= 0.5  # into the plane
    with pytest.raises(graze.InputError, match="^x: .*intersect"):
        run.set_state(low, run.v)
    for threads in (lambda: sim.Simulation(scene, threads=-1), lambda: sim.run(scene, 1, threads=-1)):
        with pytest.raises(ValueError, match="threads"):
            threads()
    with pytest.raises(ValueError, match="format"):
        sim.run(scene, 1, format="stl")
    with pytest.raises(TypeError, match="no option"):
        sim.run(scene, 1, frame=1)
    with pytest.raises(graze.InputError, match="pictures"):
        sim.run(scene, 1, pictures=True)
    with pytest.raises(ValueError):
        scene.intersections(np.zeros((1, 3)))
