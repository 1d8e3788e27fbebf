"""Simulations of elastic bodies, cloth and strands whose contacts the detection handles.

Only where the module was built with them (``GRAZE_BUILD_SIM``); importing it is an ``ImportError``
otherwise, and everything else works.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Union

import numpy as np

from . import _core
from ._types import ArrayLike, Vector

if not hasattr(_core, "Simulation"):
    raise ImportError("graze.sim: this module was built without the simulators (GRAZE_BUILD_SIM)")

Array = np.ndarray[Any, Any]

#: The built-in scenes: a line about each, by name.
SCENES: Dict[str, str] = dict(_core.scene_list())


@dataclass(frozen=True)
class FrameStats:
    """Of one step, one frame or a run. ``intersections`` and ``crossings``: with ``check``, pairs
    that intersect at the ends of steps and contacts during accepted motions, both exact;
    ``checked``: steps of which they were counted. ``unfinished``: steps that ended by the number of
    iterations; ``inverted``: tetrahedra that are inside out."""

    frame: int
    steps: int
    iterations: int
    tested: int
    positive: int
    contacts: int
    fail_safes: int
    stuck: int
    unfinished: int
    inverted: int
    checked: int
    intersections: int
    crossings: int
    least_distance: float
    kinetic_energy: float
    seconds: float
    seconds_detection: float


class Scene:
    """What is simulated. ``resolution``: factor of the number of elements along each edge.

    Pickled and copied by its name, or by its JSON.

    >>> import graze.sim
    >>> scene = graze.sim.Scene("stack")
    >>> scene.name, scene.response, scene.V.shape[1], scene.F.shape[1]
    ('stack', 'barrier', 3, 3)
    """

    def __init__(self, name: str, resolution: float = 1.0) -> None:
        self._take(_core.Scene.named(name, resolution), (Scene, (name, resolution)))

    def _take(self, scene: _core.Scene, source: Any) -> None:
        self._scene = scene
        self._source = source
        settings = scene.settings()
        self.name: str = settings["name"]
        #: How many frames the scene is meant to run for.
        self.frames: int = settings["frames"]
        self.dt: float = settings["dt"]
        self.steps_per_frame: int = settings["steps_per_frame"]
        self.gravity: Vector = settings["gravity"]
        self.response: str = settings["response"]
        self.method: str = settings["method"]
        self.friction: float = settings["friction"]
        self.contact_distance: float = settings["contact_distance"]

    @staticmethod
    def from_json(
        scene: Union[str, Dict[str, Any]], folder: Union[str, "os.PathLike[str]"] = ""
    ) -> Scene:
        """From JSON as of docs/sim.md, as text or as what it means.

        ``folder``: what files of meshes are named relative to.

        >>> import graze.sim
        >>> graze.sim.Scene.from_json({"scene": "stack", "contact": {"friction": 0.3}}).friction
        0.3
        """
        text = scene if isinstance(scene, str) else json.dumps(scene)
        made = Scene.__new__(Scene)
        source = (Scene.from_json, (text, os.fspath(folder)))
        made._take(_core.Scene.from_json(text, os.fspath(folder)), source)
        return made

    @staticmethod
    def read(path: Union[str, "os.PathLike[str]"]) -> Scene:
        """From a file of JSON."""
        return Scene.from_json(Path(path).read_text(encoding="utf-8"), Path(path).parent)

    def __reduce__(self) -> Any:
        return self._source

    def __repr__(self) -> str:
        return f"Scene({self.name!r}, {len(self.V)} vertices)"

    @property
    def V(self) -> Array:
        """Positions of all vertices at the start, those inside of bodies included."""
        return self._scene.arrays()["start"]

    @property
    def E(self) -> Array:
        """Edges of all that collides, those of faces included."""
        return self._scene.edges()

    @property
    def F(self) -> Array:
        """Triangles of all that collides."""
        return self._scene.faces()

    def arrays(self) -> Dict[str, Array]:
        """By vertex: rest, start, start_velocity, mass, radius, body, fixed."""
        return self._scene.arrays()

    def intersections(self, x: ArrayLike, threads: int = 1) -> int:
        """How many pairs of elements intersect or touch at these positions: exact."""
        return self._scene.intersections(x, _threads(threads))


def _threads(threads: int) -> int:
    if threads < 0:
        raise ValueError(f"threads: is {threads}, not >= 0")
    return threads


class Simulation:
    """A scene step by step, in memory. The same bits for any number of threads.

    ``check``: every accepted motion and the end of every step are tested exactly, and counted. A
    step that is ended by an exception (Ctrl-C) leaves the state as it was. Several threads may
    share one, and take turns. Pickled and copied by scene and state.

    >>> import graze.sim
    >>> run = graze.sim.Simulation(graze.sim.Scene("stack"), check=True)
    >>> stats = run.frame()
    >>> stats.crossings, stats.intersections, run.frame_number, run.x.shape == run.v.shape
    (0, 0, 1, True)
    """

    def __init__(self, scene: Scene, *, threads: int = 1, check: bool = False) -> None:
        self.scene = scene
        self._options = {"threads": threads, "check": check}
        self._run = _core.Simulation(scene._scene, _threads(threads), check)

    def __reduce__(self) -> Any:
        return (_restored, (self.scene, self._options, self._run.state()))

    def step(self) -> FrameStats:
        """One time step of ``scene.dt``."""
        return FrameStats(**self._run.step())

    def frame(self) -> FrameStats:
        """``scene.steps_per_frame`` time steps."""
        return FrameStats(**self._run.frame())

    @property
    def x(self) -> Array:
        """Positions by vertex, a copy."""
        return self._run.state()[0]

    @property
    def v(self) -> Array:
        """Velocities by vertex, a copy."""
        return self._run.state()[1]

    @property
    def time(self) -> float:
        return self._run.state()[2]

    @property
    def frame_number(self) -> int:
        return self._run.state()[3]

    def set_state(
        self,
        x: ArrayLike,
        v: ArrayLike,
        time: Optional[float] = None,
        frame: Optional[int] = None,
    ) -> None:
        """Goes on from there. An error where elements intersect or touch at ``x``."""
        _, _, now, number = self._run.state()
        self._run.set_state(
            x, v, now if time is None else float(time), number if frame is None else frame
        )


def _restored(scene: Scene, options: Dict[str, Any], state: Any) -> Simulation:
    run = Simulation(scene, **options)
    run._run.set_state(*state)
    return run


@dataclass(frozen=True, eq=False)
class RunReport:
    """``frames``: statistics of each, of runs that this one continued included."""

    frames: List[FrameStats]
    total: FrameStats
    x: Array
    v: Array
    time: float
    resumed_at: int


def run(
    scene: Scene,
    frames: Optional[int] = None,
    *,
    out: Optional[Union[str, "os.PathLike[str]"]] = None,
    queries: Optional[Union[str, "os.PathLike[str]"]] = None,
    on_frame: Optional[Callable[[FrameStats], Any]] = None,
    **options: Any,
) -> RunReport:
    """A whole run, as ``graze sim``: frames and states in the folder ``out``, query files in ``queries``.

    Options: ``format`` ("obj" or "ply"), ``check``, ``resume``, ``pictures``, ``threads`` (1; 0: all
    cores). Ctrl-C, or an exception of ``on_frame``, ends it; ``resume=True`` goes on from there, to
    the same bits.

    >>> import graze.sim
    >>> report = graze.sim.run(graze.sim.Scene("stack"), 1, check=True)
    >>> len(report.frames), report.total.crossings
    (1, 0)
    """
    _threads(options.get("threads", 1))
    rows, total, state, resumed_at = _core.sim_run(
        scene._scene,
        {
            **options,
            "frames": scene.frames if frames is None else frames,
            "out": None if out is None else os.fspath(out),
            "queries": None if queries is None else os.fspath(queries),
            "on_frame": None if on_frame is None else lambda row: on_frame(FrameStats(**row)),
        },
    )
    x, v, time, _ = state
    stats = [FrameStats(**row) for row in rows]
    return RunReport(stats, FrameStats(**total), x, v, time, resumed_at)
