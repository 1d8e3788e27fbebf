"""Pictures with Matplotlib: :func:`query` and :func:`mesh_step`."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _queries
from ._meshes import MeshStepper
from ._types import ArrayLike, Verdict

# Vertices of each primitive of a query, as closed or open lines.
_LINES = {
    "vf": ([0], [1, 2, 3, 1]),
    "ee": ([0, 1], [2, 3]),
    "vv": ([0], [1]),
    "ve": ([0], [1, 2]),
}
_COLOURS = ("tab:red", "tab:blue")


def _axes(ax: Optional[Any]) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(5, 5)).add_subplot(projection="3d")


def _draw_primitives(ax: Any, kind: str, vertices: Any, **style: Any) -> None:
    for colour, line in zip(_COLOURS, _LINES[kind]):
        points = vertices[line]
        marker = "o" if len(line) == 1 else None
        ax.plot(*points.T, color=colour, marker=marker, markersize=4, **style)


def query(
    kind: str, start: ArrayLike, end: ArrayLike, *, ax: Optional[Any] = None, **options: Any
) -> Any:
    """One query: both primitives at the start, at the end, and where they first touch.

    Returns the axes, which the title gives verdict and bracket.

    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import graze.plot
    >>> face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> ax = graze.plot.query("vf", [[.25, .25, 1], *face], [[.25, .25, -.5], *face])
    >>> ax.get_title()
    'contact, first at t in [0.666667, 0.666667]'
    """
    a = np.asarray(start, dtype=np.float64)
    b = np.asarray(end, dtype=np.float64)
    if a.ndim != 2:
        raise ValueError(f"start: has shape {a.shape}: a picture shows one query")
    answer = _queries.ccd(kind, a, b, **options)
    verdict = Verdict(int(answer["verdict"]))
    ax = _axes(ax)
    for p, q in zip(a, b):
        ax.plot(*np.array([p, q]).T, color="0.7", linewidth=0.8, linestyle=":")
    _draw_primitives(ax, kind, a, alpha=0.35)
    _draw_primitives(ax, kind, b, alpha=0.35, linestyle="--")
    title = verdict.name.lower()
    if verdict == Verdict.CONTACT:
        t = float(answer["toi_lower"])
        _draw_primitives(ax, kind, (1 - t) * a + t * b, linewidth=2.0)
        point = _queries.contact_points(kind, a, b, t)
        ax.plot(*point["on_b"][:, None], marker="x", color="black", markersize=8)
        title += f", first at t in [{t:.6g}, {float(answer['toi_upper']):.6g}]"
    ax.set_title(title)
    return ax


def mesh_step(
    stepper: MeshStepper,
    start: ArrayLike,
    end: ArrayLike,
    *,
    ax: Optional[Any] = None,
    **options: Any,
) -> Any:
    """A step of a mesh: the start in grey, the safe positions in blue, the first contact in red.

    Options as of :meth:`graze.MeshStepper.largest_safe_step`. Returns the axes.

    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import graze.plot
    >>> V = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [.5, .5, 1], [1, .5, 1], [.5, 1, 1]]
    >>> W = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [.5, .5, -1], [1, .5, -1], [.5, 1, -1]]
    >>> stepper = graze.MeshStepper(6, F=[[0, 1, 2], [3, 4, 5]])
    >>> graze.plot.mesh_step(stepper, V, W).get_title()
    'vf contact of 3 and 0: 0.5 of the step is free'
    """
    a = np.asarray(start, dtype=np.float64)
    b = np.asarray(end, dtype=np.float64)
    step = stepper.largest_safe_step(a, b, **options)
    ax = _axes(ax)
    _draw_mesh(ax, stepper, a, "0.75", 0.25)
    _draw_mesh(ax, stepper, step.positions, "tab:blue", 0.5)
    title = "the whole step is free"
    if step.impact is not None:
        i = step.impact
        title = f"{i.kind} contact of {i.a} and {i.b}: {step.fraction:.3g} of the step is free"
    if step.contact is not None:
        ax.plot(*np.array(step.contact.on_b)[:, None], marker="o", color="tab:red")
    ax.set_title(title)
    return ax


def _draw_mesh(ax: Any, stepper: MeshStepper, positions: Any, colour: str, alpha: float) -> None:
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    faces = positions[stepper.faces.astype(np.int64)]
    if len(faces):
        ax.add_collection3d(
            Poly3DCollection(faces, facecolor=colour, edgecolor="0.3", linewidth=0.3, alpha=alpha)
        )
    edges = positions[stepper.edges.astype(np.int64)]
    if len(edges):
        ax.add_collection3d(Line3DCollection(edges, colors=colour, linewidth=0.4))
    ax.auto_scale_xyz(*positions.T)
