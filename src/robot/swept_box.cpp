#include "robot/swept_box.hpp"

#include <algorithm>
#include <cmath>

namespace graze::robot::detail {

namespace {

// How far beyond both ends a coordinate gets that is within K s (1 - s) of the line from x0 to x1:
// (K - |x1 - x0|)^2 / (4 K) where that is less than K, else not at all; rounding errors are below 8u K.
[[nodiscard]] double beyond_ends(double x0, double x1, double bulge) noexcept {
    const double rest = bulge - std::fabs(x1 - x0);
    if (rest <= 0.0) return 0x1p-50 * bulge;
    return 0.25 * rest * (rest / bulge) + 0x1p-50 * bulge;
}

[[nodiscard]] SweptRange swept_between(double middle0, double reach0, double middle1, double reach1,
                                       double bulge, double slack) noexcept {
    const double low0 = middle0 - reach0;
    const double low1 = middle1 - reach1;
    const double high0 = middle0 + reach0;
    const double high1 = middle1 + reach1;
    return {std::min(low0, low1) - (beyond_ends(low0, low1, bulge) + slack),
            std::max(high0, high1) + (beyond_ends(high0, high1, bulge) + slack)};
}

}  // namespace

SweptRange swept_range(const rigid::detail::Slab& slab, const TreeNode& b, const Vec3& n) noexcept {
    const auto reach = [&](const rigid::detail::Matrix& rotation) {
        const Vec3 own = rigid::detail::transposed_times(rotation, n);
        return std::fabs(own.x) * b.half.x + std::fabs(own.y) * b.half.y +
               std::fabs(own.z) * b.half.z;
    };
    return swept_between(dot(slab.first.transform(b.centre), n), reach(slab.first.rotation),
                         dot(slab.last.transform(b.centre), n), reach(slab.last.rotation),
                         slab.bulge(b.reach), slab.slack);
}

SweptBox swept_box(const rigid::detail::Slab& slab, const TreeNode& b) noexcept {
    const Vec3 first = slab.first.transform(b.centre);
    const Vec3 last = slab.last.transform(b.centre);
    SweptBox box;
    box.middle = 0.5 * (first + last);
    box.displacement_sq = norm_sq(last - first);
    box.bulge = slab.bulge(b.reach);
    for (std::size_t k = 0; k < 3; ++k) {
        const SweptRange along =
            swept_between(first[k], slab.in_b_first.along(k, b.half), last[k],
                          slab.in_b_last.along(k, b.half), box.bulge, slab.slack);
        box.low[k] = along.low;
        box.high[k] = along.high;
        const std::size_t of_b = 3 + k;
        const SweptRange own = swept_between(
            slab.axes.along(of_b, first), slab.in_b_first.along(of_b, b.half),
            slab.axes.along(of_b, last), slab.in_b_last.along(of_b, b.half), box.bulge, slab.slack);
        box.low_own[k] = own.low;
        box.high_own[k] = own.high;
    }
    return box;
}

// What is no number separates nothing.
bool are_separated(const rigid::detail::Slab& slab, const TreeNode& a, const SweptBox& b) noexcept {
    for (std::size_t k = 0; k < 3; ++k) {
        if (a.centre[k] - a.half[k] > b.high[k]) return true;
        if (a.centre[k] + a.half[k] < b.low[k]) return true;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const double middle = slab.axes.along(3 + k, a.centre);
        const double reach = slab.in_a.along(3 + k, a.half);
        if (middle - reach > b.high_own[k]) return true;
        if (middle + reach < b.low_own[k]) return true;
    }
    return false;
}

bool are_separated(const rigid::detail::Slab& slab, const AxisBox& a, const SweptBox& b) noexcept {
    if (!may_overlap(a, {b.low, b.high})) return true;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 axis = slab.axes.vector(3 + k);
        double low = 0.0;
        double high = 0.0;
        for (std::size_t j = 0; j < 3; ++j) {
            const double one = axis[j] * a.low[j];
            const double two = axis[j] * a.high[j];
            low += std::min(one, two);
            high += std::max(one, two);
        }
        if (low > b.high_own[k] || high < b.low_own[k]) return true;
    }
    return false;
}

}  // namespace graze::robot::detail
