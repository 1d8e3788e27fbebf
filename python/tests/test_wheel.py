"""What a user does: an empty environment, the wheel, the first example of the README."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile

import pytest
from conftest import ROOT


def run(*command, **options):
    done = subprocess.run(
        [str(c) for c in command], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def example():
    return re.search(
        r"```python\n(.*?)```", (ROOT / "python/README.md").read_text(), re.DOTALL
    ).group(1)


def clean_environment(**more):
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "GRAZE_BUILD_DIR")}
    return {**environment, **more}


def install_and_try(wheel, folder):
    """NumPy, which cannot be fetched without network, is that of the system."""
    run(sys.executable, "-m", "venv", "--system-site-packages", folder / "venv")
    python = folder / "venv/bin/python"
    environment = clean_environment()
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", wheel, env=environment)
    out = run(python, "-c", example(), env=environment, cwd=folder)
    assert "first at t in [0.666666666667, 0.666666666667]" in out
    place = run(python, "-c", "import graze; print(graze.__file__)", env=environment, cwd=folder)
    assert str(folder / "venv") in place
    listed = run(python, "-m", "pip", "show", "-f", "graze", env=environment)
    assert "graze/py.typed" in listed and "Name: graze" in listed
    return python


def test_the_wheel_works_in_an_empty_environment(tmp_path, build_dir):
    pytest.importorskip("build")
    environment = clean_environment(GRAZE_BUILD_DIR=str(build_dir))
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", tmp_path, ROOT, env=environment)
    (wheel,) = tmp_path.glob("graze-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
    assert "graze/__init__.py" in names and "graze/_core.pyi" in names
    assert not [n for n in names if "test" in n]
    install_and_try(wheel, tmp_path)


def test_the_sdist_has_every_source(tmp_path):
    """CMake checks that every source is there when it generates."""
    pytest.importorskip("build")
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "-o", tmp_path, ROOT,
        env=clean_environment())
    (sdist,) = tmp_path.glob("graze-*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path)
    parts = [f"-DGRAZE_BUILD_{part}=OFF" for part in ("TESTS", "TOOLS", "EXAMPLES", "CAPI")]
    run("cmake", "-S", sdist.with_suffix("").with_suffix(""), "-B", tmp_path / "build",
        "-DGRAZE_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}", *parts,
        env=clean_environment())


@pytest.mark.long
def test_wheel_and_sdist_from_nothing(tmp_path):
    pytest.importorskip("build")
    run(sys.executable, "-m", "build", "--no-isolation", "-o", tmp_path, ROOT, env=clean_environment())
    assert list(tmp_path.glob("graze-*.tar.gz"))
    (wheel,) = tmp_path.glob("graze-*.whl")
    python = install_and_try(wheel, tmp_path)
    scenes = run(python, "-c", "import graze; print(*graze.sim.SCENES)", env=clean_environment(), cwd=tmp_path)
    assert "stack" in scenes.split()
