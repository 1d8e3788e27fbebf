// Which pairs may count for a clearance: a rule on the positions of a pair alone, so that the result does
// not depend on whose boxes found the pair, a processor's or a device's (MESH-7 in
// docs/derivations/mesh.md).
//
// Both sides search with margin_for_reach(), which finds every pair that the rule keeps, and drop those
// that it does not. For both norms: on x, y and z a gap of the reach, on a diagonal one of twice that.
#pragma once

#include <span>

#include "graze/core/vec3.hpp"

namespace graze::mesh_detail {

// [length] Beyond it sums of coordinates may overflow: diagonals drop nothing, and a device, whose boxes
// have them, is not asked.
inline constexpr double kMaxForDiagonals = 0x1p+1000;

// By how much each box is enlarged for a search up to `reach`. `largest`: of all |coordinates|.
// Boxes that do not overlap are then farther apart than 2 m on x, y or z, or than 4 m on a diagonal:
//   2 m >= reach (1 + 2^-48): the computed gap is >= reach, after its rounding error and the factor
//   4 m >= 2 reach + 2^-46 largest, where a computed gap is off by at most 8u 4 largest = 2^-48 largest
[[nodiscard]] constexpr double margin_for_reach(double reach, double largest) noexcept {
    return (0.5 * reach) * (1.0 + 0x1p-47) + largest * 0x1p-47 + 0x1p-1074;
}

// Of all |coordinates|; 0 without any.
[[nodiscard]] inline double largest_coordinate(std::span<const Vec3> positions) noexcept {
    double largest = 0.0;
    const auto see = [&](double x) {
        if (x < 0.0) x = -x;
        if (x > largest) largest = x;
    };
    for (const Vec3& p : positions) {
        see(p.x);
        see(p.y);
        see(p.z);
    }
    return largest;
}

struct ReachRule {
    double reach = 0.0;
    bool has_diagonals = true;

    // Are the boxes of a (the first vertices of the pair) and b proved to be beyond the reach?
    template <int kFirst, int kCount>
    [[nodiscard]] constexpr bool drops(const Vec3* v) const noexcept {
        constexpr int kOfA = kFirst;
        const auto spread = [v](const auto& along, double bounds[4]) {
            bounds[0] = bounds[1] = along(v[0]);
            bounds[2] = bounds[3] = along(v[kOfA]);
            for (int i = 1; i < kOfA; ++i)
                include(along(v[i]), bounds[0], bounds[1]);
            for (int i = kOfA + 1; i < kCount; ++i)
                include(along(v[i]), bounds[2], bounds[3]);
        };
        double at[4] = {};
        // Exact coordinates: the difference has one rounding error, which the factor pays for.
        const auto is_beyond_on_axis = [&](const auto& along) {
            spread(along, at);
            const double gap = at[2] - at[1] > at[0] - at[3] ? at[2] - at[1] : at[0] - at[3];
            return gap * (1.0 - 0x1p-50) >= reach;
        };
        if (is_beyond_on_axis([](const Vec3& p) { return p.x; }) ||
            is_beyond_on_axis([](const Vec3& p) { return p.y; }) ||
            is_beyond_on_axis([](const Vec3& p) { return p.z; }))
            return true;
        if (!has_diagonals) return false;
        // Two sums, their difference and the last subtraction: less than 3.1u of the sums.
        const auto is_beyond_on_diagonal = [&](const auto& along) {
            spread(along, at);
            return less_error(at[2], at[1]) >= 2.0 * reach ||
                   less_error(at[0], at[3]) >= 2.0 * reach;
        };
        return is_beyond_on_diagonal([](const Vec3& p) { return p.x + p.y; }) ||
               is_beyond_on_diagonal([](const Vec3& p) { return p.x - p.y; }) ||
               is_beyond_on_diagonal([](const Vec3& p) { return p.x + p.z; }) ||
               is_beyond_on_diagonal([](const Vec3& p) { return p.x - p.z; }) ||
               is_beyond_on_diagonal([](const Vec3& p) { return p.y + p.z; }) ||
               is_beyond_on_diagonal([](const Vec3& p) { return p.y - p.z; });
    }

private:
    static constexpr void include(double x, double& lower, double& upper) noexcept {
        lower = x < lower ? x : lower;
        upper = x > upper ? x : upper;
    }
    static constexpr double magnitude(double x) noexcept { return x < 0.0 ? -x : x; }
    static constexpr double less_error(double upper, double lower) noexcept {
        return (upper - lower) - 0x1p-51 * (magnitude(upper) + magnitude(lower));
    }
};

}  // namespace graze::mesh_detail
