"""Examples in docstrings, documents and notebooks run; the types hold."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import json
import os
import pkgutil
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import graze

MODULES = ["graze"] + [
    f"graze.{m.name}" for m in pkgutil.iter_modules(graze.__path__) if m.name != "_core"
]


def needs(text):
    """Skips what this build or this machine cannot do."""
    if "plot" in text:
        pytest.importorskip("matplotlib")
    if "sim" in re.split(r"\W", text):
        pytest.importorskip("graze.sim", reason="built without the simulators")


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    needs(name)
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_every_public_name_has_a_docstring():
    for name in graze.__all__:
        thing = getattr(graze, name)
        if callable(thing):
            assert thing.__doc__, name


@pytest.mark.parametrize("document", ["python/README.md", "docs/python.md"])
def test_examples_in_documents(document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for code in re.findall(r"```python\n(.*?)```", (ROOT / document).read_text(), re.DOTALL):
        needs(code)
        exec(compile(code, document, "exec"), names)


@pytest.mark.parametrize("path", sorted((ROOT / "python/notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_notebooks(path, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(path.read_text())
    assert notebook["nbformat"] == 4
    names: dict = {"__name__": "__main__"}
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
            exec(compile("".join(cell["source"]), f"{path.name}[{number}]", "exec"), names)


USER = """
from typing import Any

import numpy as np
import graze

answers: np.ndarray[Any, Any] = graze.ccd("vf", np.zeros((1, 4, 3)), np.zeros((1, 4, 3)), t_max=0.5)
stepper = graze.MeshStepper(3, F=[[0, 1, 2]])
fraction: float = stepper.largest_safe_step(np.zeros((3, 3)), np.ones((3, 3))).fraction
first = stepper.first_impact(np.zeros((3, 3)), np.ones((3, 3)))
if first.impact is not None:
    kind: str = first.impact.kind
pose = graze.rigid.Pose.about([0, 0, 1], 0.5) @ graze.rigid.Pose()
run = graze.sim.Simulation(graze.sim.Scene("stack"))
iterations: int = run.frame().iterations
tall: graze.slide.Shape = graze.slide.capsule(0.5, 1.0)
"""


def test_types(tmp_path):
    """The package is sound, users see its types, and what is wrong is found."""
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    (tmp_path / "right.py").write_text(USER)
    (tmp_path / "wrong.py").write_text("import graze\nx: str = graze.MeshStepper(3).vertex_count\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"),
         "--cache-dir", str(tmp_path / "cache"), "-p", "graze",
         "-m", "right", "-m", "wrong"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "MYPYPATH": f"{ROOT / 'python'}:{tmp_path}"},
    )
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert len(errors) == 1 and "wrong.py:2: error: Incompatible types" in errors[0], done.stdout


def test_the_stubs_name_what_the_compiled_part_has():
    from graze import _core

    stub = (ROOT / "python/graze/_core.pyi").read_text()
    named = set(re.findall(r"^(?:def|class) (\w+)", stub, re.MULTILINE))
    named |= set(re.findall(r"^(\w+):", stub, re.MULTILINE))
    if not hasattr(_core, "Simulation"):
        named -= {"Scene", "Simulation", "scene_list", "sim_run"}
    there = {n for n in vars(_core) if not n.startswith("__") or n == "__version__"}
    assert named == there
