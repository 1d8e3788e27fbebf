// Gaps over a slab of time, for boxes and for pieces (RI-5).
#include "rigid/impact/slab.hpp"

#include <algorithm>

#include "graze/core/rounding.hpp"

namespace graze::rigid::detail {

namespace {

[[nodiscard]] Vec3 magnitudes(const Vec3& v) noexcept {
    return {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)};
}
[[nodiscard]] Matrix magnitudes(const Matrix& m) noexcept {
    return {magnitudes(m[0]), magnitudes(m[1]), magnitudes(m[2])};
}

// The larger proved fraction, with its guess: each direction is a proof of its own.
[[nodiscard]] const FreeFraction& better(const FreeFraction& a, const FreeFraction& b) noexcept {
    return a.proved >= b.proved ? a : b;
}

struct Range {
    double low;
    double high;
};
// Of the projections of all corners on n: that of their hull.
[[nodiscard]] Range range(const Corners& c, const Vec3& n) noexcept {
    std::array<double, 4> along{};
    for (std::size_t i = 0; i < 4; ++i)
        along[i] = c.x[i] * n.x + c.y[i] * n.y + c.z[i] * n.z;
    return {std::min(std::min(along[0], along[1]), std::min(along[2], along[3])),
            std::max(std::max(along[0], along[1]), std::max(along[2], along[3]))};
}

}  // namespace

// K = |acceleration| dt^2 / 2 (RI-4, RI-5), for the centre and per distance from it; the factors
// 1 + 2^-40 pay for the rounding errors of K and for | |n| - 1 | <= 2^-45. Directions along B's
// axes are those of the mean of both rotations, so that they fit both ends alike.
Slab make_slab(const RelativeMotion& motion, const Frame& first, const Frame& last,
               double separation) noexcept {
    Slab slab;
    slab.first = first;
    slab.last = last;
    slab.length = sub_up(last.t, first.t);
    slab.slack = (motion.error() + separation) * (1.0 + 0x1p-40);
    const double half_sq = 0.5 * slab.length * slab.length * (1.0 + 0x1p-40);
    slab.centre_bulge = motion.centre_acceleration() * half_sq;
    slab.rotation_bulge = motion.angle_sq() * half_sq;
    slab.rotation_first_abs = magnitudes(first.rotation);
    slab.rotation_last_abs = magnitudes(last.rotation);
    for (std::size_t j = 0; j < 3; ++j) {
        const Vec3 sum = {first.rotation[0][j] + last.rotation[0][j],
                          first.rotation[1][j] + last.rotation[1][j],
                          first.rotation[2][j] + last.rotation[2][j]};
        slab.axes[j] = unit(sum);
        slab.axes_abs[j] = magnitudes(slab.axes[j]);
        slab.b_first[j] = magnitudes(transposed_times(first.rotation, slab.axes[j]));
        slab.b_last[j] = magnitudes(transposed_times(last.rotation, slab.axes[j]));
    }
    return slab;
}

// Along a unit vector n a box with half sizes h in the frame R reaches |R^T n| . h from its centre.
// So with c the difference of the centres, the gap along +-n is |n . c| less both reaches and the
// slack, at both ends; the sense is that of the mean position. Axes of A first, since R^T n is a
// row of R.
NodeBound free_fraction(const Slab& slab, const Node& a, const Node& b) noexcept {
    const Vec3 first = slab.first.transform(b.centre) - a.centre;
    const Vec3 last = slab.last.transform(b.centre) - a.centre;
    const double displacement_sq = norm_sq(last - first);
    const double bulge = slab.bulge(b.reach);
    FreeFraction best;
    for (std::size_t k = 0; k < 3; ++k) {
        const double reach = a.half[k] + slab.slack;
        const double reach0 = reach + dot(slab.rotation_first_abs[k], b.half);
        const double reach1 = reach + dot(slab.rotation_last_abs[k], b.half);
        const double sense = first[k] + last[k] >= 0.0 ? 1.0 : -1.0;
        const FreeFraction fraction =
            free_fraction(sense * first[k] - reach0, sense * last[k] - reach1, bulge);
        if (fraction.proved == kAllFree) return {fraction, displacement_sq};
        best = better(best, fraction);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const double reach = dot(slab.axes_abs[k], a.half) + slab.slack;
        const double reach0 = reach + dot(slab.b_first[k], b.half);
        const double reach1 = reach + dot(slab.b_last[k], b.half);
        const double along0 = dot(slab.axes[k], first);
        const double along1 = dot(slab.axes[k], last);
        const double sense = along0 + along1 >= 0.0 ? 1.0 : -1.0;
        const FreeFraction fraction =
            free_fraction(sense * along0 - reach0, sense * along1 - reach1, bulge);
        if (fraction.proved == kAllFree) return {fraction, displacement_sq};
        best = better(best, fraction);
    }
    return {best, displacement_sq};
}

// R b + y for four corners at once, as RI-3 counts it: three products and three sums a coordinate.
Corners transformed(const Frame& frame, const Piece& piece) noexcept {
    Corners c;
    const Matrix& r = frame.rotation;
    for (std::size_t i = 0; i < 4; ++i) {
        c.x[i] = piece.x[i] * r[0].x + piece.y[i] * r[0].y + piece.z[i] * r[0].z + frame.centre.x;
        c.y[i] = piece.x[i] * r[1].x + piece.y[i] * r[1].y + piece.z[i] * r[1].z + frame.centre.y;
        c.z[i] = piece.x[i] * r[2].x + piece.y[i] * r[2].y + piece.z[i] * r[2].z + frame.centre.z;
    }
    return c;
}

// Gaps of the hulls of four corners along n or -n, whichever is larger at the start, less the
// slack.
FreeFraction free_fraction(const PieceSlab& pair, Vec3& n) noexcept {
    const Range a = range(pair.a, n);
    const Range first = range(pair.first, n);
    const Range last = range(pair.last, n);
    const double slack = pair.slack;
    const double ahead0 = first.low - a.high;
    const double behind0 = a.low - first.high;
    if (ahead0 >= behind0)
        return free_fraction(ahead0 - slack, (last.low - a.high) - slack, pair.bulge);
    n = -n;
    return free_fraction(behind0 - slack, (a.low - last.high) - slack, pair.bulge);
}

}  // namespace graze::rigid::detail
