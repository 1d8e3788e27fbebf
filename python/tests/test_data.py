"""Files, generators, the comparison of methods."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import graze


@pytest.mark.parametrize("kind", graze.KINDS)
@pytest.mark.parametrize("name", ["q.gzq", "q.csv", "q.csv.gz"])
def test_query_files_read_back_to_the_same_bits(tmp_path, kind, name):
    start, end = graze.generate.queries("ordinary", kind, 7)
    truth = graze.oracle(kind, start, end)["verdict"] == graze.CONTACT
    path = tmp_path / name
    graze.io.write_queries(
        path, kind, start, end, truth, format="csv" if "csv" in name else "binary"
    )
    read = graze.io.read_queries(path, kind)
    assert (read.start == start).all() and (read.end == end).all()
    assert (read.truth == truth).all() and len(read) == 7


def test_times_are_kept(tmp_path):
    start, end = graze.generate.queries("ordinary", "vf", 9)
    exact = graze.oracle("vf", start, end)
    times = np.stack([exact["toi_lower"], exact["toi_upper"]], axis=1)
    graze.io.write_queries(tmp_path / "q.gzq", "vf", start, end, None, times)
    read = graze.io.read_queries(tmp_path / "q.gzq", "vf")
    assert (read.first_time == times).all()
    assert (read.truth == (exact["verdict"] == graze.CONTACT)).all()


def test_files_that_are_not_there_or_not_right(tmp_path):
    with pytest.raises(OSError) as caught:
        graze.io.read_queries(tmp_path / "none.csv", "vf")
    assert isinstance(caught.value, graze.FileError) and "none.csv" in str(caught.value)
    (tmp_path / "bad.csv").write_text("1,2,3\n")
    with pytest.raises(graze.InputError, match="bad.csv"):
        graze.io.read_queries(tmp_path / "bad.csv", "vf")
    with pytest.raises(ValueError, match="truth"):
        graze.io.write_queries(tmp_path / "x", "vv", np.zeros((2, 2, 3)), np.ones((2, 2, 3)), [1])
    with pytest.raises(IndexError, match="F: names vertex 9"):
        graze.io.write_mesh(tmp_path / "x.obj", [[0, 0, 0]], [[0, 0, 9]])


def test_meshes_in_files(tmp_path):
    V, polygons = graze.generate.model("car")
    graze.io.write_mesh(tmp_path / "a.obj", V, polygons, comment="a car")
    graze.io.write_mesh(tmp_path / "b.obj.gz", V + [0, 0, 1], polygons)
    pair = graze.io.read_mesh_pair(tmp_path / "a.obj", tmp_path / "b.obj.gz")
    assert (pair.start == V).all() and (pair.end == V + [0, 0, 1]).all()
    mesh = graze.io.read_mesh(tmp_path / "a.obj")
    assert (mesh.F == pair.F).all() and len(mesh.E) == 0


def test_embedded_truth_is_that_of_the_oracle():
    for queries in graze.io.embedded():
        exact = graze.oracle(queries.kind, queries.start, queries.end)
        assert ((exact["verdict"] == graze.CONTACT) == (queries.truth == 1)).all()


def test_data_folders_are_found(tmp_path):
    folder = tmp_path / "mine" / "scene" / "vertex-face"
    folder.mkdir(parents=True)
    start, end = graze.generate.queries("near", "vf", 5)
    graze.io.write_queries(folder / "a.gzq", "vf", start, end)
    (found,) = graze.io.read_query_sets(tmp_path / "mine")
    assert found.kind == "vf" and (found.start == start).all()


def test_every_generator_has_names():
    assert "ordinary" in graze.generate.FAMILIES and "cube" in graze.generate.MODELS
    for wrong in (
        lambda: graze.generate.queries("odd", "vf", 1),
        lambda: graze.generate.scene("odd"),
        lambda: graze.generate.level("odd"),
        lambda: graze.generate.model("odd"),
    ):
        with pytest.raises(ValueError, match="odd"):
            wrong()
    with pytest.raises(ValueError, match="^count"):
        graze.generate.queries("ordinary", "vf", -1)
    with pytest.raises(ValueError, match="^faces"):
        graze.generate.model("sphere", -5)
    for name in graze.generate.MODELS:
        V, polygons = graze.generate.model(name)
        assert graze.rigid.Body(V, polygons).is_closed


def midpoint(kind, start, end):
    """Looks at the middle of the step alone, and is often wrong."""
    middle = (start + end) / 2
    a, b, c = (middle[:, k] - middle[:, 1] for k in (0, 2, 3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c))
    return {"verdict": np.where(volume == 0, graze.CONTACT, graze.SEPARATED)}


def test_a_method_of_python_joins_the_comparison():
    entry = graze.bench.Entry("midpoint", midpoint, kinds=["vf"])
    rows = graze.bench.compare(["certified", "cubic", entry], repeat=1)
    wrong = {m: sum(r.false_positives + r.false_negatives + r.late + r.early
                    for r in rows if r.method == m) for m in ("certified", "cubic", "midpoint")}
    assert wrong["certified"] == 0 < wrong["cubic"] and wrong["midpoint"] > 0
    assert {r.kind for r in rows if r.method == "midpoint"} == {"vf"}
    assert "midpoint" in graze.bench.table(rows)
    assert pickle.loads(pickle.dumps(rows)) == rows
    with pytest.raises(ValueError, match="no 'guess'"):
        graze.bench.compare(["guess"])
    with pytest.raises(ValueError, match="verdict"):
        graze.bench.compare([lambda kind, start, end: [True]])


def test_errors_are_pickled():
    error = graze.errors.exception_for("not-finite", "row 3", "start", 3)
    other = pickle.loads(pickle.dumps(error))
    assert (str(other), other.index, other.code) == ("start: row 3", 3, "not-finite")
    assert isinstance(other, ValueError)


def test_the_version_is_that_of_the_project():
    import re
    from conftest import ROOT

    text = (ROOT / "CMakeLists.txt").read_text()
    assert graze.__version__ == re.search(r"VERSION ([0-9.]+)\n", text).group(1)
