"""Recordings from Python: what is recorded comes back, and what was cut or changed is noticed."""

import numpy as np
import pytest

import graze


def scene(seed=0, faces=12):
    random = np.random.default_rng(seed)
    start = random.uniform(-1.0, 1.0, (3 * faces, 3))
    end = start + random.uniform(-0.5, 0.5, start.shape)
    return graze.MeshStepper(len(start), F=np.arange(3 * faces).reshape(faces, 3)), start, end


def record(path, steps=3, **options):
    stepper, start, end = scene()
    with graze.Recorder(path, stepper, version="test", **options) as recorder:
        for i in range(steps):
            answer = recorder.all_impacts(start + 0.01 * i, end, min_separation=0.001 * i)
            fresh = stepper.all_impacts(start + 0.01 * i, end, min_separation=0.001 * i)
            assert np.array_equal(answer.impacts, fresh.impacts) and answer.first == fresh.first
            recorder.mark("frame", number=i, energy=0.5 * i)
    return recorder


@pytest.mark.parametrize("keep", ["all", "first"])
def test_every_step_is_answered_again_with_the_same_bits(tmp_path, keep):
    recorder = record(tmp_path / "run.gzr", keep=keep)
    assert recorder.steps == 3
    again = graze.replay(tmp_path / "run.gzr")
    assert (again.steps, again.is_cut, again.is_same) == (3, False, True)


def test_a_recording_that_was_not_finished_is_readable_and_says_so(tmp_path):
    path = tmp_path / "run.gzr"
    stepper, start, end = scene()
    with pytest.raises(KeyError):
        with graze.Recorder(path, stepper) as recorder:
            recorder.first_impact(start, end)
            raise KeyError("the program fails")
    again = graze.replay(path)
    assert (again.steps, again.is_cut, again.is_same) == (1, True, True)


def test_cut_and_damaged_files_are_noticed(tmp_path):
    path = tmp_path / "run.gzr"
    record(path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        try:
            assert graze.replay(path).is_cut
        except graze.InputError:
            pass
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(graze.InputError):
        graze.replay(path)


def test_another_mesh_is_refused(tmp_path):
    stepper, start, end = scene()
    recorder = graze.Recorder(tmp_path / "run.gzr", stepper)
    recorder.first_impact(start, end)
    stepper.set_topology(len(start), F=[[0, 1, 2]])
    with pytest.raises(graze.InputError, match="another mesh"):
        recorder.first_impact(start, end)
    assert recorder.steps == 1


def test_what_cannot_be_recorded_is_an_error(tmp_path):
    stepper, start, end = scene()
    recorder = graze.Recorder(tmp_path / "run.gzr", stepper)
    with pytest.raises(graze.UnsupportedError, match="layers and masks"):
        recorder.first_impact(start, end, accepts=lambda kind, a, b: True)
    with pytest.raises(ValueError, match="keep"):
        graze.Recorder(tmp_path / "other.gzr", stepper, keep="some")
    with pytest.raises(graze.FileError):
        graze.Recorder(tmp_path / "no such folder" / "run.gzr", stepper)
    with pytest.raises(graze.FileError):
        graze.replay(tmp_path / "missing.gzr")
