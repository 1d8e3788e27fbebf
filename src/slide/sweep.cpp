#include "graze/slide/sweep.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include "graze/core/fp_environment.hpp"
#include "graze/core/quaternion.hpp"
#include "slide/passing_gap.hpp"
#include "slide/surroundings.hpp"

namespace graze::slide {
namespace {

// Long paths are walked in pieces of some radii, so that what lies behind the first contact is not
// gathered. At most 32: the cost of a sweep stays bounded, whatever its length.
constexpr double kPieceLength = 16.0;  // [local, about radii]
constexpr int kMaxPieces = 32;

int pieces_for(const Path& path, double radius) noexcept {
    const double pieces = norm_max(path.to - path.from) / (kPieceLength * radius);
    // A quotient that is no number, too.
    return pieces < kMaxPieces ? 1 + static_cast<int>(pieces) : kMaxPieces;
}

// Towards zero: a smaller time is as free.
template <class Real>
Real rounded_down(double time) noexcept {
    if constexpr (std::is_same_v<Real, float>) {
        const float rounded = detail::rounded_to_float(time);
        return double{rounded} > time ? std::nextafter(rounded, 0.0F) : rounded;
    } else {
        return time;
    }
}

template <class Real>
void set_met_at_start(SweepResult<Real>& result) noexcept {
    result.verdict = Verdict::Contact;
    result.met_at_start = true;
    result.toi_lower = Real{0};
}

// From a centre in a face all paths lead out (SS-4); not so from one in the face of a prism, or of a
// box that is solid. So what is as near to a triangle as that counts as crossing: twice 2^-30 of the
// radius, and what a path of this length may fall by rounding.
double least_clearance(const Path& path, double radius) noexcept {
    return 2.0 * kCoreInside * radius + 0x1p-44 * norm_one(path.to);
}

template <class Real>
bool is_core_met(const Surroundings<Real>& around, const Path& path, double radius,
                 SweepResult<Real>& result) noexcept {
    bool is_met = false;
    around.for_each_crossed(
        {},
        [&](const NearTriangle& t) {
            is_met = true;
            result.contact = around.contact({t.part, t.face, t.tag, false},
                                            crossing_of(t, around.core_at({})).direction, 0.0);
            return false;
        },
        least_clearance(path, radius));
    if (is_met) set_met_at_start(result);
    return is_met;
}

// The same for the centre and boxes that are solid: a face that it is in, and is let pass, may lead in.
template <class Real>
bool is_solid_met(const Surroundings<Real>& around, const Path& path, double radius,
                  SweepResult<Real>& result) noexcept {
    bool is_met = false;
    around.for_each_solid_around(
        {},
        [&](const PartView<Real>& part, const SolidSide& side) {
            is_met = true;
            result.contact =
                around.contact({part.index, side.face, part.marks_of(side.face).tag, false},
                               around.solid_crossing({}, side).direction, 0.0);
            return false;
        },
        least_clearance(path, radius));
    if (is_met) set_met_at_start(result);
    return is_met;
}

template <class Real>
SweepResult<Real> sound_first_contact(const Obstacles<Real>& level, const Shape<Real>& shape,
                                      const SweepQuery<Real>& query) noexcept {
    const Vec3 start = widened(query.start);
    const Vec3 move = widened(query.displacement);
    Surroundings<Real> around(level, shape, query.start, query.layers);
    const Frame& frame = around.frame();
    const double margin = query.margin;
    if (!frame.valid || !is_finite(move) || !(margin >= 0.0) || !is_finite(margin)) return {};
    const double radius = frame.radius_with(margin);
    if (!is_finite(radius)) return {};
    const Path path = path_along(frame, move);
    const int pieces = pieces_for(path, radius);
    const Vec3 largest{std::fabs(start.x) + std::fabs(move.x),
                       std::fabs(start.y) + std::fabs(move.y),
                       std::fabs(start.z) + std::fabs(move.z)};
    SweepResult<Real> result;
    result.verdict = Verdict::Separated;
    result.toi_lower = Real{1};
    if (frame.has_core && is_core_met(around, path, radius, result)) return result;
    if (is_solid_met(around, path, radius, result)) return result;
    // Each piece is a part of the one exact path, so that errors do not add up from piece to piece.
    for (int piece = 0; piece < pieces; ++piece) {
        const double begin = static_cast<double>(piece) / pieces;
        const double end = static_cast<double>(piece + 1) / pieces;
        around.gather(box_around(frame, start + begin * move, start + end * move, radius, largest));
        const auto found = around.sweep(path, radius, begin, end);
        result.met_at_start |= found.met_at_start && piece == 0;
        if (!found.hit) continue;
        result.verdict = found.is_unknown ? Verdict::Unresolved : Verdict::Contact;
        result.toi_lower = rounded_down<Real>(found.time);
        result.contact = around.contact(found.face, found.direction, 0.0);
        result.contact.time = result.toi_lower;
        return result;
    }
    return result;
}

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Nothing is known of the gap.
template <class Real>
GapResult<Real> unknown_gap() noexcept {
    return {true, -kInfinite, {}};
}

template <class Real>
GapResult<Real> sound_smallest_gap(const Obstacles<Real>& level, const Shape<Real>& shape,
                                   const Vec<Real>& centre, Real reach,
                                   std::uint32_t layers) noexcept {
    GapResult<Real> result = unknown_gap<Real>();
    Surroundings<Real> around(level, shape, centre, layers);
    const Frame& frame = around.frame();
    if (!frame.valid || !(reach >= Real{0}) || !is_finite(double{reach})) return result;
    const double radius = frame.radius_with(reach);
    if (!is_finite(radius)) return result;
    around.gather(box_around(frame, frame.origin, frame.origin, radius));
    if (!around.covers({}, radius)) return result;
    // Without a triangle within the radius the gap is at least `reach`: that is what is gathered.
    double nearest = kInfinite;
    const auto take = [&](double distance) {
        if (!(distance >= nearest)) nearest = distance >= -kInfinite ? distance : -kInfinite;
    };
    result = {false, reach, {}};
    around.for_each_within({}, radius, [&](const NearFace& face, const ListDistance& distance) {
        if (distance.lower >= nearest) return;
        take(distance.lower);
        result.found = true;
        result.contact = around.contact(face, distance.direction, 0.0);
    });
    if (frame.has_core) {
        around.for_each_crossed({}, [&](const NearTriangle& t) {
            const Core core = around.core_at({});
            Direction out = crossing_of(t, core).direction;
            for (const Vec3& axis : core.axes())  // no area: along the core
                if (!(norm_sq(out.w) > 0.0)) out.w = axis;
            take(core_distance(t, out.w, core));
            result.found = true;
            result.contact = around.contact({t.part, t.face, t.tag, false}, out, 0.0);
            return true;
        });
    }
    around.for_each_solid_around({}, [&](const PartView<Real>& part, const SolidSide& side) {
        const auto out = around.solid_crossing({}, side);
        take(out.distance);
        result.found = true;
        result.contact = around.contact(
            {part.index, side.face, part.marks_of(side.face).tag, false}, out.direction, 0.0);
        return true;
    });
    if (!result.found) return result;
    // Rounded down. The ball may have been rounded up by 2^-50, which the exact one need not fill.
    const double gap = (nearest - frame.ball) - 0x1p-50 * (std::fabs(nearest) + frame.ball);
    // SS-6: for a local distance d >= 1 an ellipsoid has a gap of at least (d - 1) r_min; for d < 1
    // a shift by (1 - d) r_max separates it, so that minus this is a lower bound. A sphere is
    // scaled by a power of two, without error.
    const double length = gap >= 0.0 ? frame.smallest_radius : frame.largest_radius;
    const bool is_sphere = frame.smallest_radius == frame.largest_radius;
    const double scaled = is_sphere ? gap / frame.scale.x : gap * length;
    const double lower = scaled - 0x1p-51 * std::fabs(scaled);
    result.gap_lower = lower < kInfinite ? lower : -kInfinite;  // what is no number is no proof
    return result;
}

}  // namespace

// A face that the core crosses has no gap: of the sum that its centre is in only the faces are asked.
// A local length is at most the true one over the smallest radius, but for rounding.
template <class Real>
double passing_gap(const Obstacles<Real>& obstacles, const Shape<Real>& shape,
                   const Vec<Real>& centre, Real reach, std::uint32_t layers) noexcept {
    Surroundings<Real> around(obstacles, shape, centre, layers);
    const Frame& frame = around.frame();
    if (!frame.valid || !(reach >= Real{0}) || !is_finite(double{reach})) return -kInfinite;
    const double radius = frame.radius_with(reach);
    if (!is_finite(radius)) return -kInfinite;
    around.see_all();
    around.gather(box_around(frame, frame.origin, frame.origin, radius));
    if (!around.covers({}, radius)) return -kInfinite;
    double least = kInfinite;
    const auto take = [&](std::uint32_t part, std::uint32_t face, double gap) {
        if (!obstacles.marks(part, face).one_sided) return;
        const double depth = around.depth_of_origin(part, face);
        if (depth > 0.0) least = std::min(least, std::max(depth, gap));
    };
    around.for_each_within({}, radius, [&](const NearFace& face, const ListDistance& found) {
        const double gap = found.lower - frame.ball;
        take(face.part, face.face, gap - 0x1p-50 * (found.lower + frame.ball));
    });
    if (frame.has_core) {
        around.for_each_crossed({}, [&](const NearTriangle& t) {
            take(t.part, t.face, -kInfinite);
            return true;
        });
    }
    const bool is_sphere = frame.smallest_radius == frame.largest_radius;
    const double scaled = is_sphere ? least / frame.scale.x : least * frame.smallest_radius;
    return std::min(scaled * (1.0 - 0x1p-48), double{reach});
}

template <class Real>
Shape<Real> capsule(Real radius, Real half_height, const Vec<Real>& axis) noexcept {
    // In units of its largest coordinate, so that nothing overflows or vanishes.
    const Vec3 along = (1.0 / norm_max(widened(axis))) * widened(axis);
    const double length = norm(along);
    return {{radius, radius, radius}, narrowed<Real>((double{half_height} / length) * along)};
}

namespace {

// So that the sums of three axes are exact, in doubles: a whole number of 2^-22 (float) or 2^-50
// (double) of a power of two that is above half of the longest one.
template <class Real>
Vec3 on_grid(const Vec3& axis, double longest) noexcept {
    const double unit =
        std::ldexp(1.0, std::ilogb(longest) + 3 - std::numeric_limits<Real>::digits);
    const auto rounded = [&](double x) { return std::nearbyint(x / unit) * unit; };
    return {rounded(axis.x), rounded(axis.y), rounded(axis.z)};
}

}  // namespace

template <class Real>
Shape<Real> rounded_box(const Vec<Real>& half_extents, Real rounding,
                        const Quaternion& rotation) noexcept {
    const Vec3 half = widened(half_extents) - Vec3{1, 1, 1} * double{rounding};
    if (!(half.x >= 0.0 && half.y >= 0.0 && half.z >= 0.0) || !is_finite(half) ||
        !(rounding > Real{0}) || !(std::fabs(norm_sq(rotation) - 1.0) <= kMatrixTolerance))
        return {{}, {}, {}};
    std::array<Vec3, 3> axes{{{half.x, 0, 0}, {0, half.y, 0}, {0, 0, half.z}}};
    if (!(vector_part(rotation) == Vec3{}) && norm_max(half) > 0.0) {
        for (Vec3& axis : axes)
            axis = on_grid<Real>(rotate(rotation, axis), norm_max(half));
    }
    return {{rounding, rounding, rounding},
            narrowed<Real>(axes[1]),
            {narrowed<Real>(axes[0]), narrowed<Real>(axes[2])}};
}

template <class Real>
SweepResult<Real> first_contact(const Obstacles<Real>& level, const Shape<Real>& shape,
                                const SweepQuery<Real>& query) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept { return sound_first_contact(level, shape, query); },
        []() noexcept { return SweepResult<Real>{}; });
}

template <class Real>
GapResult<Real> smallest_gap(const Obstacles<Real>& level, const Shape<Real>& shape,
                             const Vec<Real>& centre, Real reach, std::uint32_t layers) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept { return sound_smallest_gap(level, shape, centre, reach, layers); },
        &unknown_gap<Real>);
}

// A ball of 2^-10 of the reach, a power of two: what it keeps, and its radius, are exact Reals. A gap
// below zero says that the point is nearer than that: 0.
template <class Real>
NearestPoint<Real> nearest_point(const Obstacles<Real>& obstacles, const Vec<Real>& point,
                                 Real reach, std::uint32_t layers) noexcept {
    if (!(reach > Real{0}) || !is_finite(double{reach})) return {true, 0.0, {}};
    const Real radius = static_cast<Real>(std::ldexp(1.0, std::ilogb(double{reach}) - 10));
    if (!(radius > Real{0})) return {true, 0.0, {}};
    const GapResult<Real> gap =
        smallest_gap<Real>(obstacles, {{radius, radius, radius}}, point, reach, layers);
    if (!gap.found) return {false, double{reach}, {}};
    const double distance = (gap.gap_lower + double{radius}) * (1.0 - 0x1p-50);
    return {true, std::max(distance, 0.0), gap.contact};
}

template <class Real>
Verdict overlap_at(const Obstacles<Real>& obstacles, const Shape<Real>& shape,
                   const Vec<Real>& centre, Real margin, std::uint32_t layers) noexcept {
    const GapResult<Real> gap = smallest_gap(obstacles, shape, centre, margin, layers);
    if (!gap.found || gap.gap_lower >= double{margin}) return Verdict::Separated;
    return gap.gap_lower == -kInfinite ? Verdict::Unresolved : Verdict::Contact;
}

// A ball of that radius: what is nearer than the ray is met earlier, and nothing later.
template <class Real>
SweepResult<Real> cast_ray(const Obstacles<Real>& obstacles, const Vec<Real>& origin,
                           const Vec<Real>& displacement, std::uint32_t layers) noexcept {
    const Real radius = static_cast<Real>(0x1p-20 * norm_max(widened(displacement)));
    if (!(radius > Real{0})) return {};
    return first_contact<Real>(obstacles, {{radius, radius, radius}, {}},
                               {origin, displacement, Real{0}, layers});
}

template double passing_gap(const Obstacles<float>&, const Shape<float>&, const Vec<float>&, float,
                            std::uint32_t) noexcept;
template double passing_gap(const Obstacles<double>&, const Shape<double>&, const Vec<double>&,
                            double, std::uint32_t) noexcept;
template NearestPoint<float> nearest_point(const Obstacles<float>&, const Vec<float>&, float,
                                           std::uint32_t) noexcept;
template NearestPoint<double> nearest_point(const Obstacles<double>&, const Vec<double>&, double,
                                            std::uint32_t) noexcept;
template Verdict overlap_at(const Obstacles<float>&, const Shape<float>&, const Vec<float>&, float,
                            std::uint32_t) noexcept;
template Verdict overlap_at(const Obstacles<double>&, const Shape<double>&, const Vec<double>&,
                            double, std::uint32_t) noexcept;
template SweepResult<float> cast_ray(const Obstacles<float>&, const Vec<float>&, const Vec<float>&,
                                     std::uint32_t) noexcept;
template SweepResult<double> cast_ray(const Obstacles<double>&, const Vec<double>&,
                                      const Vec<double>&, std::uint32_t) noexcept;
template Shape<float> rounded_box(const Vec<float>&, float, const Quaternion&) noexcept;
template Shape<double> rounded_box(const Vec<double>&, double, const Quaternion&) noexcept;
template Shape<float> capsule(float, float, const Vec<float>&) noexcept;
template Shape<double> capsule(double, double, const Vec<double>&) noexcept;
template SweepResult<float> first_contact(const Obstacles<float>&, const Shape<float>&,
                                          const SweepQuery<float>&) noexcept;
template SweepResult<double> first_contact(const Obstacles<double>&, const Shape<double>&,
                                           const SweepQuery<double>&) noexcept;
template GapResult<float> smallest_gap(const Obstacles<float>&, const Shape<float>&,
                                       const Vec<float>&, float, std::uint32_t) noexcept;
template GapResult<double> smallest_gap(const Obstacles<double>&, const Shape<double>&,
                                        const Vec<double>&, double, std::uint32_t) noexcept;

}  // namespace graze::slide
