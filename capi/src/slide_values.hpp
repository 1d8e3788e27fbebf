// Values of sliding from and to C: movers, triangles of parts, results.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "errors.hpp"
#include "graze.h"
#include "graze/slide.hpp"
#include "views.hpp"

namespace graze::capi {

inline constexpr EarlierSizes kEarlierMovers{88, 112};  // without half_axis, and without side_axes
inline constexpr std::uint64_t kMostFaces = std::uint64_t{1} << 31;

inline graze_status check_scalar(graze_scalar scalar) noexcept {
    return scalar == GRAZE_FLOAT64 || scalar == GRAZE_FLOAT32
               ? GRAZE_OK
               : fail(GRAZE_OUT_OF_RANGE, "there is no scalar %d", scalar);
}

inline graze_mover default_mover() noexcept {
    const slide::Footing<double> footing;
    graze_mover mover{};
    mover.size = sizeof mover;
    std::fill_n(mover.radii, 3, 1.0);
    write_vector(footing.up, mover.up);
    mover.least_upward = footing.least_upward;
    mover.layers = 0xffff'ffffU;
    return mover;
}

// Can a level or a world of Reals keep it?
template <class Real>
bool fits(double x) noexcept {
    return is_finite(x) && std::fabs(x) <= double{std::numeric_limits<Real>::max()};
}
template <class Real>
bool fits(const Vec3& v) noexcept {
    return fits<Real>(v.x) && fits<Real>(v.y) && fits<Real>(v.z);
}

template <class Real>
Real narrowed_number(double x) noexcept {
    return slide::narrowed<Real>(Vec3{x, 0.0, 0.0}).x;
}

template <class Real>
graze_status read_number(double given, const char* name, Real& number) noexcept {
    if (!fits<Real>(given))
        return fail(GRAZE_NOT_FINITE, "%s is %g, which is no finite number of its scalar", name,
                    given);
    number = narrowed_number<Real>(given);
    return GRAZE_OK;
}

template <class Real>
graze_status read_point(const double* given, const char* name, Vec<Real>& point) noexcept {
    if (given == nullptr) return fail(GRAZE_NULL_POINTER, "%s is NULL", name);
    const Vec3 v = read_vector(given);
    if (!fits<Real>(v))
        return fail(GRAZE_NOT_FINITE, "%s: (%g, %g, %g) are no finite numbers of its scalar", name,
                    v.x, v.y, v.z);
    point = slide::narrowed<Real>(v);
    return GRAZE_OK;
}

// A graze_mover in the numbers of the level or world.
template <class Real>
struct Mover {
    slide::Shape<Real> shape;
    slide::MoveOptions<Real> move;
    slide::Footing<Real> footing;
    Real step_height{};
};

// Every query refuses a box whose axes are not perpendicular, or whose sums are not exact.
template <class Real>
bool is_shape(const slide::Shape<Real>& shape) {
    static const slide::Level<Real> nothing;
    return overlap_at(nothing, shape, {}) == Verdict::Separated;
}

template <class Real>
graze_status check_mover(const Mover<Real>& mover) {
    const auto is_size = [](Real x) { return double{x} >= 0x1p-1000 && double{x} <= 0x1p+1000; };
    const Vec<Real>& r = mover.shape.radii;
    if (!is_size(r.x) || !is_size(r.y) || !is_size(r.z))
        return fail(GRAZE_INVALID_OPTION, "mover: radii are (%g, %g, %g), not in [2^-1000, 2^1000]",
                    double{r.x}, double{r.y}, double{r.z});
    if (norm_max(slide::widened(mover.shape.half_axis)) > 0x1p+1000)
        return fail(GRAZE_INVALID_OPTION, "mover: half_axis is longer than 2^1000");
    const auto& [first, second] = mover.shape.side_axes;
    if (!(first == Vec<Real>{} && second == Vec<Real>{}) && !is_shape(mover.shape))
        return fail(GRAZE_INVALID_OPTION,
                    "mover: half_axis and side_axes are not those of a box: see "
                    "graze_mover_set_box()");
    if (mover.move.skin < Real{0}) return fail(GRAZE_INVALID_OPTION, "mover: skin is below 0");
    if (mover.step_height < Real{0})
        return fail(GRAZE_INVALID_OPTION, "mover: step_height is below 0");
    if (mover.footing.up == Vec<Real>{})
        return fail(GRAZE_INVALID_OPTION, "mover: up has a length of 0");
    return GRAZE_OK;
}

template <class Real>
graze_status read_mover(const graze_mover* given, Mover<Real>& mover) {
    if (given == nullptr) return fail(GRAZE_NULL_POINTER, "mover is NULL");
    graze_mover m = default_mover();
    mover.move.layers = m.layers;
    Checks checks;
    checks.then([&] { return read_options(given, kEarlierMovers, "mover", m); })
        .then([&] { return read_point(m.radii, "mover: radii", mover.shape.radii); })
        .then([&] { return read_point(m.half_axis, "mover: half_axis", mover.shape.half_axis); })
        .then([&] {
            return read_point(m.side_axes[0], "mover: side_axes", mover.shape.side_axes[0]);
        })
        .then([&] {
            return read_point(m.side_axes[1], "mover: side_axes", mover.shape.side_axes[1]);
        })
        .then([&] { return read_number(m.skin, "mover: skin", mover.move.skin); })
        .then([&] { return read_point(m.up, "mover: up", mover.footing.up); })
        .then([&] {
            return read_number(m.least_upward, "mover: least_upward", mover.footing.least_upward);
        })
        .then([&] { return read_number(m.step_height, "mover: step_height", mover.step_height); })
        .then([&] { return check_mover(mover); });
    mover.move.layers = m.layers;
    return checks.status();
}

template <class Real>
graze_touch to_c(const slide::SweepContact<Real>& contact) noexcept {
    graze_touch touch{};
    touch.part = contact.part;
    touch.face = contact.face;
    touch.tag = contact.tag;
    touch.feature = static_cast<std::int32_t>(contact.feature);
    touch.time = double{contact.time};
    write_vector(slide::widened(contact.point), touch.point);
    write_vector(slide::widened(contact.normal), touch.normal);
    return touch;
}

template <class Real>
graze_move to_c(const slide::MoveResult<Real>& result) noexcept {
    graze_move move{};
    write_vector(slide::widened(result.position), move.position);
    move.skin = double{result.skin};
    move.stopped = static_cast<graze_stop_reason>(result.stopped);
    move.gap_proved = result.gap_proved ? 1 : 0;
    move.iterations = result.iterations;
    move.touch_count = result.contact_count;
    std::size_t i = 0;
    for (const slide::SweepContact<Real>& contact : result.touched())
        move.touches[i++] = to_c(contact);
    return move;
}

template <class Real>
graze_sweep to_c(const slide::SweepResult<Real>& result) noexcept {
    return {double{result.toi_lower}, double{result.toi_upper},
            static_cast<graze_verdict>(result.verdict), result.met_at_start ? 1 : 0,
            to_c(result.contact)};
}

inline graze_move no_move() noexcept {
    graze_move move{};
    move.stopped = GRAZE_MOVED_BLOCKED;
    return move;
}

inline graze_snap no_snap() noexcept {
    graze_snap snap{};
    snap.action = GRAZE_NO_GROUND;
    return snap;
}

inline graze_sweep no_sweep() noexcept {
    graze_sweep sweep{};
    sweep.toi_upper = kInfinity;
    sweep.verdict = GRAZE_UNRESOLVED;
    return sweep;
}

template <class Real>
graze_status read_level_points(const graze_view* view, std::vector<Vec<Real>>& points) {
    CheckedView checked;
    if (const graze_status status = checked.set(view, 1, "positions")) return status;
    points.resize(static_cast<std::size_t>(checked.size()));
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 p = checked.point(i);
        if (!fits<Real>(p))
            return fail_at(GRAZE_NOT_FINITE, i,
                           "positions: those of vertex %llu are no finite numbers of its scalar",
                           static_cast<unsigned long long>(i));
        points[i] = slide::narrowed<Real>(p);
    }
    return GRAZE_OK;
}

inline std::vector<slide::FaceMarks> marks_of(const graze_face_marks* given, std::uint64_t count) {
    std::vector<slide::FaceMarks> marks;
    for (const graze_face_marks& m : list_of(given, count))
        marks.push_back({m.tag, m.layers, m.one_sided != 0});
    return marks;
}

// The triangles of a part, copied.
template <class Real>
struct PartData {
    std::vector<Vec<Real>> points;
    std::vector<std::array<std::uint32_t, 3>> faces;
    std::vector<slide::FaceMarks> marks;

    graze_status read(const graze_view* view, const std::uint32_t* indices,
                      std::uint64_t face_count, const graze_face_marks* given,
                      std::uint64_t mark_count) {
        Checks checks;
        checks.list(indices, face_count, "faces")
            .list(given, mark_count, "marks")
            .then([&] { return check_face_count(face_count, mark_count); })
            .then([&] { return read_level_points(view, points); });
        if (checks.failed()) return checks.status();
        faces.resize(static_cast<std::size_t>(face_count));
        if (face_count != 0) std::memcpy(faces.data(), indices, faces.size() * sizeof(faces[0]));
        marks = marks_of(given, mark_count);
        return GRAZE_OK;
    }
    static graze_status check_face_count(std::uint64_t faces, std::uint64_t marks) noexcept {
        if (faces >= kMostFaces)
            return fail(GRAZE_WRONG_SIZE, "faces: %llu are too many",
                        static_cast<unsigned long long>(faces));
        if (marks > 1 && marks != faces)
            return fail(GRAZE_WRONG_SIZE, "marks: %llu, not one for each of %llu faces",
                        static_cast<unsigned long long>(marks),
                        static_cast<unsigned long long>(faces));
        return GRAZE_OK;
    }
};

}  // namespace graze::capi
