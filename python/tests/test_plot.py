"""Pictures."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("matplotlib").use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

import graze  # noqa: E402
import graze.plot  # noqa: E402


@pytest.mark.parametrize("kind", graze.KINDS)
def test_queries_of_every_kind_are_drawn(kind, tmp_path):
    for start, end in zip(*graze.generate.queries("ordinary", kind, 3)):
        ax = graze.plot.query(kind, start, end)
        verdict = graze.Verdict(int(graze.ccd(kind, start, end)["verdict"]))
        assert ax.get_title().startswith(verdict.name.lower())
        ax.figure.savefig(tmp_path / "query.png")
        plt.close(ax.figure)
    with pytest.raises(ValueError, match="one query"):
        graze.plot.query(kind, *graze.generate.queries("ordinary", kind, 3))


def test_mesh_steps_are_drawn(scene, tmp_path):
    V, W, F = scene
    stepper = graze.MeshStepper(V, F=F)
    figure = plt.figure()
    ax = graze.plot.mesh_step(stepper, V, W, ax=figure.add_subplot(projection="3d"))
    assert "is free" in ax.get_title()
    figure.savefig(tmp_path / "step.png")
    assert (tmp_path / "step.png").stat().st_size > 1000
    assert graze.plot.mesh_step(stepper, V, V).get_title() == "the whole step is free"
    points = graze.MeshStepper(2)
    graze.plot.mesh_step(points, np.eye(3)[:2], np.eye(3)[:2])
    plt.close("all")
