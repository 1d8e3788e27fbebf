"""Queries: shapes, types, strides, emptiness, numbers that are not finite, wrong sizes, methods."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graze
from graze import _core

VERTICES = {"vf": 4, "ee": 4, "vv": 2, "ve": 3}
FACE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def queries(kind, count=40, seed=0):
    return graze.generate.queries("ordinary", kind, count, seed)


def same(a, b):
    """Every bit of every column."""
    return all(a[name].tobytes() == b[name].tobytes() for name in graze.RESULT.names)


@pytest.mark.parametrize("kind", graze.KINDS)
@pytest.mark.parametrize("family", graze.generate.FAMILIES)
def test_certified_answers_are_those_of_the_oracle(kind, family):
    start, end = graze.generate.queries(family, kind, 5)
    answers = graze.ccd(kind, start, end)
    exact = graze.oracle(kind, start, end)
    assert (answers["verdict"] == exact["verdict"]).all()
    assert graze.verify(kind, start, end, answers).ok


def test_a_single_query_gives_one_record():
    answer = graze.ccd("vf", [[0.25, 0.25, 1.0], *FACE], [[0.25, 0.25, -0.5], *FACE])
    assert answer["verdict"] == graze.CONTACT
    assert answer["toi_lower"] <= 2 / 3 <= answer["toi_upper"]
    assert answer["toi_upper"] - answer["toi_lower"] < 1e-9


@given(
    kind=st.sampled_from(graze.KINDS),
    dtype=st.sampled_from(["f8", "f4", ">f8", "<f8", ">f4", "f2"]),
    layout=st.sampled_from(["C", "F", "reversed", "every second", "transposed", "padded", "shifted"]),
    other=st.booleans(),
)
def test_types_and_strides_do_not_change_a_bit(kind, dtype, layout, other):
    start, end = (a.astype(dtype) for a in queries(kind, 30))
    expected = graze.ccd(kind, start.astype("f8", order="C"), end.astype("f8", order="C"))

    def arranged(a):
        if layout == "F":
            return np.asfortranarray(a)
        if layout == "reversed":
            return a[::-1, ::-1, ::-1].copy()[::-1, ::-1, ::-1]
        if layout == "every second":
            wide = np.repeat(a, 2, axis=0)
            return wide[::2]
        if layout == "transposed":
            return a.transpose(2, 1, 0).copy().transpose(2, 1, 0)
        if layout == "padded":
            wide = np.full((len(a), a.shape[1], 5), 7, a.dtype)
            wide[:, :, 1:4] = a
            return wide[:, :, 1:4]
        if layout == "shifted":  # not aligned
            raw = np.zeros(a.nbytes + 1, "u1")
            raw[1:] = np.frombuffer(a.tobytes(), "u1")
            return raw[1:].view(a.dtype).reshape(a.shape)
        return a

    found = graze.ccd(kind, arranged(start), end if other else arranged(end))
    assert same(found, expected)


@given(count=st.integers(0, 300), threads=st.integers(0, 3))
def test_any_number_of_queries_on_any_number_of_threads(count, threads):
    start, end = queries("ee", count) if count else (np.zeros((0, 4, 3)), np.zeros((0, 4, 3)))
    assert same(graze.ccd("ee", start, end, threads=threads), graze.ccd("ee", start, end))


def test_many_queries_on_two_threads_have_the_same_bits():
    start, end = queries("vf", 20_000)
    assert same(graze.ccd("vf", start, end, threads=2), graze.ccd("vf", start, end))


def test_broadcast_arrays_are_read_in_place():
    start, end = queries("vf", 1)
    wide = np.broadcast_to(start, (1000, 4, 3))
    before = _core.copied_bytes()
    answers = graze.ccd("vf", wide, np.broadcast_to(end, (1000, 4, 3)))
    assert _core.copied_bytes() == before
    assert len(np.unique(answers)) == 1


@given(
    query=st.integers(0, 9),
    vertex=st.integers(0, 3),
    value=st.sampled_from([np.nan, np.inf, -np.inf]),
    at_end=st.booleans(),
)
def test_numbers_that_are_not_finite_leave_their_query_unresolved_and_no_other(
    query, vertex, value, at_end
):
    start, end = queries("vf", 10)
    expected = graze.ccd("vf", start, end)
    (end if at_end else start)[query, vertex, 1] = value
    found = graze.ccd("vf", start, end)
    assert found[query]["verdict"] == graze.UNRESOLVED
    assert found[query]["toi_lower"] == 0
    others = np.arange(10) != query
    assert same(found[others], expected[others])


@given(shape=st.lists(st.integers(0, 5), min_size=0, max_size=4))
def test_other_shapes_are_errors_that_name_the_argument(shape):
    if tuple(shape[-2:]) == (4, 3) and len(shape) in (2, 3):
        return
    with pytest.raises(ValueError, match="^start: has shape"):
        graze.ccd("vf", np.zeros(shape), np.zeros(shape))


def test_both_ends_have_as_many_queries():
    with pytest.raises(ValueError, match="^end: has shape"):
        graze.ccd("vf", np.zeros((3, 4, 3)), np.zeros((2, 4, 3)))
    with pytest.raises(ValueError, match="^end: has shape"):
        graze.ccd("vf", np.zeros((1, 4, 3)), np.zeros((4, 3)))


@pytest.mark.parametrize("dtype", ["c16", "O", "?", "S4", "M8[s]", "g"])
def test_types_that_may_not_fit_a_double_are_refused(dtype):
    start = np.zeros((1, 4, 3)).astype(dtype)
    with pytest.raises(TypeError, match="^start: has dtype"):
        graze.ccd("vf", start, np.zeros((1, 4, 3)))


def test_integers_are_taken_where_they_are_doubles():
    start = np.zeros((1, 4, 3), int)
    assert len(graze.ccd("vf", start, start)) == 1
    start[0, 0, 0] = 2**53 + 1
    with pytest.raises(TypeError, match="2\\^53"):
        graze.ccd("vf", start, np.zeros((1, 4, 3)))


def test_what_is_no_array_is_refused():
    for wrong in [None, "text", object(), {"a": 1}]:
        with pytest.raises((TypeError, ValueError), match="start"):
            graze.ccd("vf", wrong, np.zeros((1, 4, 3)))


@pytest.mark.parametrize(
    "options, error",
    [
        ({"min_separation": -1.0}, "min_separation"),
        ({"min_separation": float("nan")}, "min_separation"),
        ({"t_max": 2.0}, "t_max"),
        ({"time_width": 0.0}, "time_width"),
        ({"max_checks": 0}, "max_checks"),
        ({"norm": "manhattan"}, "norm"),
        ({"threads": -1}, "threads"),
        ({"method": "guess"}, "there are: certified"),
    ],
)
def test_options_out_of_range_are_value_errors_that_name_them(options, error):
    start, end = queries("vf", 2)
    with pytest.raises(ValueError, match=error):
        graze.ccd("vf", start, end, **options)


def test_unknown_options_and_kinds_are_errors():
    start, end = queries("vf", 2)
    with pytest.raises(TypeError, match="no option 'min_seperation'"):
        graze.ccd("vf", start, end, min_seperation=1.0)
    with pytest.raises(TypeError, match="t_max"):
        graze.ccd("vf", start, end, t_max="late")
    with pytest.raises(ValueError, match="kind"):
        graze.ccd("tetrahedron", start, end)
    with pytest.raises(graze.UnsupportedError, match="separation"):
        graze.ccd("vf", start, end, method="safe-cubic", min_separation=0.1)
    with pytest.raises(graze.UnsupportedError, match="kind"):
        graze.ccd("vv", *queries("vv", 2), method="root-parity")


@pytest.mark.parametrize("method", [m.name for m in graze.methods()])
def test_every_method_keeps_what_it_declares(method):
    declared = {m.name: m for m in graze.methods()}[method]
    claims = [name for name, holds in declared.guarantee.items() if holds]
    checked = {name for name, _ in graze.CLAIMS} | {"progress_when_separated"}
    for kind in declared.kinds:
        start, end = queries(kind, 10)
        answers = graze.ccd(kind, start, end, method=method, max_checks=20_000)
        found = graze.verify(
            kind, start, end, answers, claims=set(claims) & checked, max_checks=20_000
        )
        assert found.ok, found.broken


def test_verify_reports_what_is_wrong_and_where():
    start, end = queries("ee", 30)
    answers = graze.ccd("ee", start, end)
    touching = np.flatnonzero(answers["verdict"] == graze.CONTACT)
    wrong = graze.as_answers(np.zeros(30, bool), 30)
    found = graze.verify("ee", start, end, wrong, claims=["no_false_negatives"])
    assert found.broken == {"no_false_negatives": len(touching)}
    assert (found.indices("no_false_negatives") == touching).all()
    with pytest.raises(ValueError, match="claims"):
        graze.verify("ee", start, end, wrong, claims=["no_such_claim"])


def test_minimum_separation_and_distance_agree():
    start, end = queries("vf", 20)
    distance = graze.minimum_distance("vf", start, end)
    answers = graze.ccd("vf", start, end, min_separation=0.25)
    assert ((distance["upper"] < 0.2) <= (answers["verdict"] == graze.CONTACT)).all()
    assert ((distance["lower"] > 0.3) <= (answers["verdict"] == graze.SEPARATED)).all()


def test_results_are_written_only_where_asked():
    start, end = queries("vf", 10)
    start.flags.writeable = end.flags.writeable = False
    expected = graze.ccd("vf", start, end)
    out = np.empty(10, graze.RESULT)
    assert graze.ccd("vf", start, end, out=out) is out
    assert same(out, expected)
    with pytest.raises(ValueError, match="out"):
        graze.ccd("vf", start, end, out=np.empty(9, graze.RESULT))
    with pytest.raises(TypeError, match="out"):
        graze.ccd("vf", start, end, out=np.empty(10))
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out: is read-only"):
        graze.ccd("vf", start, end, out=out)
    with pytest.raises(ValueError, match="out"):
        graze.ccd("vf", start, end, out=np.empty(20, graze.RESULT)[::2])


def test_temporary_arrays_live_as_long_as_they_are_read():
    start, end = queries("vf", 500)
    expected = graze.ccd("vf", start, end)
    assert same(graze.ccd("vf", start + 0.0, (2.0 * end) / 2.0), expected)
    assert same(graze.ccd("vf", start.tolist(), end.tolist()), expected)


def test_single_answers_are_verified_too():
    start, end = [[0.25, 0.25, 1.0], *FACE], [[0.25, 0.25, -0.5], *FACE]
    assert graze.verify("vf", start, end, graze.ccd("vf", start, end)).ok


def test_answers_of_other_methods_are_checked():
    assert graze.as_answers({"verdict": [2, 1], "toi_lower": [0.5, 0.25]}, 2)["toi_lower"][0] == 0.5
    for wrong in ([True], {"verdict": [7, 0]}, {"verdict": [0, 0], "time": [1, 1]}):
        with pytest.raises(ValueError):
            graze.as_answers(wrong, 2)
