"""Builds sdist and wheel (PEP 517) with CMake and the standard library alone.

Settings, as environment variables or as `-C name=value` of pip and build:
  GRAZE_CMAKE_ARGS / cmake-args   more arguments of CMake, such as -DGRAZE_THREADS=off, or
                                  -DGRAZE_BUILD_SIM=OFF for a module without graze.sim
  GRAZE_BUILD_DIR / build-dir     a build folder with the finished module, which is then packed as it is
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "graze"
# What the module is compiled from.
SOURCES = ("CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml",
           "adapters", "cmake", "data/embedded", "include", "python", "sim", "src")


def version() -> str:
    """The project version of CMakeLists.txt: the one place that states it."""
    text = (ROOT / "CMakeLists.txt").read_text()
    found = re.search(r"project\(graze\s+VERSION\s+([0-9.]+)", text)
    if not found:
        raise RuntimeError("CMakeLists.txt: no project version")
    return found.group(1)


def _project(name: str) -> str:
    """A text value of pyproject.toml; Python 3.9 has no parser of it."""
    text = (ROOT / "pyproject.toml").read_text()
    return re.search(rf'^{name} = "(.*)"', text, re.MULTILINE).group(1)


def _metadata() -> str:
    return "\n".join([
        "Metadata-Version: 2.1",
        "Name: graze",
        f"Version: {version()}",
        f"Summary: {_project('description')}",
        "License: MIT",
        f"Requires-Python: {_project('requires-python')}",
        "Requires-Dist: numpy>=1.22",
        "Provides-Extra: plot",
        'Requires-Dist: matplotlib; extra == "plot"',
        "Description-Content-Type: text/markdown",
        "",
        (ROOT / "python" / "README.md").read_text(),
    ])


def _tag() -> str:
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"{python}-{python}-{platform}"


def _wheel_file() -> str:
    return f"Wheel-Version: 1.0\nGenerator: graze\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def _setting(settings: dict | None, name: str, variable: str) -> str:
    value = (settings or {}).get(name, os.environ.get(variable, ""))
    return " ".join(value) if isinstance(value, list) else value


def _compile(settings: dict | None, folder: Path) -> Path:
    """The folder with the compiled module in it."""
    finished = _setting(settings, "build-dir", "GRAZE_BUILD_DIR")
    if finished:
        return Path(finished) / "python" / "graze"
    off = ("TESTS", "TOOLS", "EXAMPLES", "CAPI", "WEB")
    on = ("PYTHON", "MESH", "IO", "ORACLE", "BASELINES", "VERIFY", "SIM")
    subprocess.run(
        ["cmake", "-S", str(ROOT), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release",
         *[f"-DGRAZE_BUILD_{part}=OFF" for part in off],
         *[f"-DGRAZE_BUILD_{part}=ON" for part in on],
         f"-DPython_EXECUTABLE={sys.executable}",
         *shlex.split(_setting(settings, "cmake-args", "GRAZE_CMAKE_ARGS"))],
        check=True)
    subprocess.run(["cmake", "--build", str(folder), "--target", "graze_python",
                    "--parallel", str(os.cpu_count() or 1)], check=True)
    return folder / "python" / "graze"


def _write_wheel(path: Path, files: dict[str, bytes]) -> None:
    info = f"graze-{version()}.dist-info"
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = _wheel_file().encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    rows = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}")
    rows.append(f"{info}/RECORD,,")
    files[f"{info}/RECORD"] = ("\n".join(rows) + "\n").encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            archive.writestr(entry, data)


# --- hooks -------------------------------------------------------------------------------------------


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = Path(metadata_directory) / f"graze-{version()}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(_metadata())
    (info / "WHEEL").write_text(_wheel_file())
    return info.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as folder:
        built = _compile(config_settings, Path(folder))
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        files = {f"graze/_core{suffix}": (built / f"_core{suffix}").read_bytes()}
    for path in sorted(PACKAGE.iterdir()):
        if path.suffix in (".py", ".pyi", ".typed"):
            files[f"graze/{path.name}"] = path.read_bytes()
    files["graze/py.typed"] = b""
    name = f"graze-{version()}-{_tag()}.whl"
    _write_wheel(Path(wheel_directory) / name, files)
    return name


def build_sdist(sdist_directory, config_settings=None):
    top = f"graze-{version()}"
    with tarfile.open(Path(sdist_directory) / f"{top}.tar.gz", "w:gz") as archive:
        for source in SOURCES:
            archive.add(ROOT / source, f"{top}/{source}",
                        filter=lambda entry: None if "__pycache__" in entry.name else entry)
        data = _metadata().encode()
        entry = tarfile.TarInfo(f"{top}/PKG-INFO")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return f"{top}.tar.gz"
