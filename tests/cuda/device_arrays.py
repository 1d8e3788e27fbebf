"""graze.cuda on arrays of torch and CuPy, beside the answers of the command line.

    device_arrays.py LIBRARY GRAZE     libgraze_cuda_c.so and the tool; needs a device, torch and CuPy
"""

import csv
import os
import subprocess
import sys
import tempfile
import types
from pathlib import Path

import numpy as np

library, tool = sys.argv[1], sys.argv[2]
os.environ["GRAZE_CUDA_LIBRARY"] = library
# The module alone: its package needs the extension, which may be built for another Python.
package = types.ModuleType("graze")
package.__path__ = [str(Path(__file__).parents[2] / "python" / "graze")]
sys.modules["graze"] = package
import graze.cuda  # noqa: E402

import cupy  # noqa: E402
import torch  # noqa: E402


def scene(seed, faces):
    random = np.random.default_rng(seed)
    centres = random.random((faces, 1, 3))
    start = (centres + 0.1 * random.random((faces, 3, 3))).reshape(-1, 3)
    end = start + np.repeat(0.2 * random.random((faces, 3)), 3, axis=0) + 0.02 * random.random((3 * faces, 3))
    return start, end, np.arange(3 * faces).reshape(-1, 3)


def write_obj(path, positions, faces):
    with open(path, "w") as file:
        file.writelines("v %r %r %r\n" % tuple(float(x) for x in p) for p in positions)
        file.writelines("f %d %d %d\n" % tuple(f + 1) for f in faces)


def expected(start, end, faces):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("a.obj", "b.obj", "pairs.csv")]
        write_obj(paths[0], start, faces)
        write_obj(paths[1], end, faces)
        subprocess.run([tool, "mesh", paths[0], paths[1], "--pairs", paths[2]], check=True,
                       stdout=subprocess.DEVNULL)
        with open(paths[2]) as file:
            rows = list(csv.DictReader(file))
    return {(r["kind"], int(r["a"]), int(r["b"])): (float(r["toi_lower"]), float(r["toi_upper"]))
            for r in rows}


def found(impacts, as_numpy):
    pairs = {(i.kind, i.a, i.b): (i.toi_lower, i.toi_upper) for i in impacts.by_host}
    for kind, column in zip(graze.cuda.KINDS, (impacts.vertex_face, impacts.edge_edge,
                                               impacts.vertex_vertex, impacts.vertex_edge)):
        a, b, lower, upper = (as_numpy(c) for c in column)
        pairs.update({(kind, int(p), int(q)): (float(s), float(t))
                      for p, q, s, t in zip(a, b, lower, upper)})
    return pairs


def raises(kind, call):
    try:
        call()
    except kind as error:
        return str(error)
    raise AssertionError(f"no {kind.__name__}")


for seed in range(4):
    start, end, faces = scene(seed, 400)
    want = expected(start, end, faces)
    stepper = graze.cuda.DeviceStepper(len(start), faces)
    for name, put, get in (
        ("torch", lambda x: torch.tensor(x, device="cuda"),
         lambda c: torch.as_tensor(c, device="cuda").cpu().numpy() if len(c) else np.zeros(0)),
        ("cupy", cupy.asarray, lambda c: cupy.asarray(c).get() if len(c) else np.zeros(0)),
        ("dlpack", lambda x: torch.tensor(x, device="cuda"),
         lambda c: torch.from_dlpack(c).cpu().numpy() if len(c) else np.zeros(0)),
    ):
        at, to = put(start), put(end)
        impacts = stepper.all_impacts(at, to)
        assert found(impacts, get) == want, name
        first = stepper.first_impact(at, to)
        assert first.impact == impacts.first and first.toi_lower == impacts.toi_lower, name
    print(f"seed {seed}: {len(want)} impacts, the same from torch, CuPy and DLPack")

# Queued on a stream of its own, not yet computed when the call is made.
stream = cupy.cuda.Stream(non_blocking=True)
with stream:
    busy = cupy.asarray(np.ones((2000, 2000)))
    for _ in range(50):
        busy = busy @ busy * 1e-4
    at, to = cupy.asarray(start) + 0.0 * busy[0, 0], cupy.asarray(end) + 0.0 * busy[0, 0]
    assert found(stepper.all_impacts(at, to), lambda c: cupy.asarray(c).get() if len(c) else np.zeros(0)) == want
assert stepper.all_impacts(torch.tensor(start, device="cuda"), torch.tensor(start, device="cuda")).toi_lower >= 0
print(raises(TypeError, lambda: stepper.first_impact(start, end)))
print(raises(TypeError, lambda: stepper.first_impact(torch.tensor(start), torch.tensor(end))))
print(raises(TypeError, lambda: stepper.first_impact(at.astype("f4"), to)))
print(raises(ValueError, lambda: stepper.first_impact(at[:5], to)))
print(raises(ValueError, lambda: stepper.first_impact(at[:, ::-1], to)))
bad = cupy.asarray(end)
bad[7, 1] = float("nan")
print(raises(ValueError, lambda: stepper.first_impact(at, bad)))
print(raises(ValueError, lambda: stepper.first_impact(at, to, t_max=2.0)))
print(raises(ValueError, lambda: graze.cuda.DeviceStepper(3, [[0, 1, 9]])))
print(raises(graze.cuda.DeviceError, lambda: graze.cuda.DeviceStepper(3, [[0, 1, 2]], device=99)))
print("all good")
