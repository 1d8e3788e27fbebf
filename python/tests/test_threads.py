"""The GIL is released, eight threads at once get the same bits, Ctrl-C and alarms end long calls."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import graze


def in_eight_threads(call):
    with ThreadPoolExecutor(8) as pool:
        return [f.result() for f in [pool.submit(call) for _ in range(16)]]


def test_eight_threads_get_the_same_bits():
    start, end = graze.generate.queries("ordinary", "ee", 3000)
    expected = graze.ccd("ee", start, end).tobytes()
    for found in in_eight_threads(lambda: graze.ccd("ee", start, end, threads=2).tobytes()):
        assert found == expected


def test_eight_threads_share_a_stepper():
    scene = graze.generate.scene("tumbling-bodies", queries=300)
    start, end = scene.steps[0]
    stepper = graze.MeshStepper(len(start), F=scene.F)
    expected = stepper.all_impacts(start, end, body=scene.body).impacts.tobytes()

    def call():
        return stepper.all_impacts(
            start, end, body=scene.body, accepts=lambda kind, a, b: True
        ).impacts.tobytes()

    assert set(in_eight_threads(call)) == {expected}


def test_eight_threads_share_bodies_and_a_level():
    from graze.rigid import Body, BodyStep, Pose

    cube = Body(*graze.generate.model("cube"))
    fall = BodyStep(Pose.about([1, 2, 3], 1.0, (0, 0, 3)), Pose(translation=(0, 0, 0)))
    assert len(set(in_eight_threads(
        lambda: graze.rigid.first_impact(cube, cube, fall, BodyStep.rest())))) == 1
    level = graze.slide.Level()
    level.add_part([[-9, 0, -9], [9, 0, -9], [9, 0, 9]], [[0, 2, 1]])
    stop = threading.Event()

    def shake():
        while not stop.is_set():
            level.move_part(0, [[-9, 0, -9], [9, 0, -9], [9, 0, 9]])

    shaker = threading.Thread(target=shake)
    shaker.start()
    try:
        assert len(set(in_eight_threads(
            lambda: level.move_and_slide(0.5, [5, 1, 0], [0.1, -1, 0])))) == 1
    finally:
        stop.set()
        shaker.join()


def slow_queries():
    """Minutes of work for the oracle."""
    return graze.generate.queries("ordinary", "ee", 200_000)


class Alarm(Exception):
    pass


@contextlib.contextmanager
def alarm_after(seconds):
    """Raises Alarm in the main thread."""

    def ring(*_):
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("threads", [1, 2])
def test_signals_end_long_batches(threads):
    start, end = slow_queries()
    begin = time.monotonic()
    with alarm_after(0.25), pytest.raises(Alarm):
        graze.oracle("ee", start, end, threads=threads)
    assert time.monotonic() - begin < 10


def heavy_mesh(count=400):
    """Sticks through each other: as many contacts as pairs."""
    rng = np.random.default_rng(5)
    V = rng.normal(size=(2 * count, 3)) * 10
    return V, V[::-1].copy(), np.arange(2 * count).reshape(-1, 2)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", ["certified", "tight-inclusion"])
def test_signals_end_long_mesh_steps(method, threads):
    V, W, E = heavy_mesh(4000)
    stepper = graze.MeshStepper(V, E=E)
    with alarm_after(0.25):
        begin = time.monotonic()
        with pytest.raises(Alarm):
            stepper.all_impacts(V, W, method=method, threads=threads)
    assert time.monotonic() - begin < 10


def test_signals_end_waiting_for_a_stepper():
    V, W, E = heavy_mesh(10)
    stepper = graze.MeshStepper(V, E=E)
    go_on = threading.Event()
    held = threading.Event()

    def hold(fraction):
        held.set()
        go_on.wait(20)

    other = threading.Thread(target=lambda: stepper.all_impacts(V, W, progress=hold))
    other.start()
    try:
        held.wait(10)
        with alarm_after(0.25), pytest.raises(Alarm):
            stepper.all_impacts(V, W)
    finally:
        go_on.set()
        other.join()


def test_ctrl_c_is_a_keyboard_interrupt():
    code = (
        "import graze, sys\n"
        "start, end = graze.generate.queries('ordinary', 'ee', 200_000)\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    graze.oracle('ee', start, end)\n"
        "except KeyboardInterrupt:\n"
        "    sys.exit(42)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=os.environ)
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    assert child.wait(20) == 42


def test_other_threads_run_meanwhile():
    start, end = graze.generate.queries("ordinary", "ee", 3000)
    ticks = 0
    stop = threading.Event()

    def tick():
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0.001)

    other = threading.Thread(target=tick)
    other.start()
    before = ticks
    begin = time.monotonic()
    graze.oracle("ee", start, end)
    spent = time.monotonic() - begin
    during = ticks - before
    stop.set()
    other.join()
    assert spent > 0.02 and during >= 5


def test_signals_end_long_searches_of_bodies():
    from graze.rigid import Body, BodyStep, Pose

    ball = Body(*graze.generate.model("sphere", 20_000))
    through = BodyStep(
        Pose.about([1, 2, 3], 0.1, (0, 0, 2.2)), Pose.about([3, 1, 2], 1.1, (0.2, 0, -2.2))
    )
    begin = time.monotonic()
    with alarm_after(0.25), pytest.raises(Alarm):
        graze.rigid.all_impacts(ball, ball, through, BodyStep.rest())
    assert time.monotonic() - begin < 10


def test_signals_end_paths_and_streams():
    V, W, E = heavy_mesh(20)
    stepper = graze.MeshStepper(V, E=E)

    def slow(alpha):
        time.sleep(0.01)
        return V + alpha * (W - V)

    with alarm_after(0.25), pytest.raises(Alarm):
        stepper.largest_safe_step_along(slow, lambda a, b: np.inf, resolution=1e-300)
    V, W, E = heavy_mesh(4000)
    stepper = graze.MeshStepper(V, E=E)
    begin = time.monotonic()
    with alarm_after(0.25), pytest.raises(Alarm):
        stepper.stream_impacts(V, W, len)
    assert time.monotonic() - begin < 10


def test_signals_end_simulations_and_leave_the_state():
    sim = pytest.importorskip("graze.sim", reason="built without the simulators")
    scene = sim.Scene("stack", 2.0)
    run = sim.Simulation(scene)
    frames = 0
    begin = time.monotonic()
    with alarm_after(0.25), pytest.raises(Alarm):
        while True:
            run.frame()
            frames += 1
    # That of whole frames: the signal may come when one is done and not counted yet.
    again = sim.Simulation(scene)
    for _ in range(frames):
        again.frame()
    if not (run.x == again.x).all():
        again.frame()
    assert (run.x == again.x).all()
    with alarm_after(0.25), pytest.raises(Alarm):
        sim.run(scene, 1_000_000)
    assert time.monotonic() - begin < 60


def test_children_by_fork_work():
    V, W, E = heavy_mesh(50)
    stepper = graze.MeshStepper(V, E=E)
    expected = stepper.first_impact(V, W, threads=2).impact
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if stepper.first_impact(V, W, threads=2).impact == expected else 1)
    assert os.waitpid(child, 0)[1] == 0
