// How wide a skin has to be for the numbers of a position, and how far it then suffices.
//
// It depends on the position, the shape and what is asked for, and not on where a move leads: a
// position that is legal stays legal, whatever is requested next. Derivation:
// docs/derivations/slide_mover.md, SM-1 and SM-7.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "graze/slide/sweep.hpp"

namespace graze::slide {

// In units in the last place: what rounding a position takes from a distance. Floats are found in
// doubles and rounded once, by sqrt(3)/2; of doubles the difference, the product and the sum are
// rounded, together by 3 sqrt(3)/2.
template <class Real>
inline constexpr int kRoundingUnits = std::is_same_v<Real, float> ? 1 : 3;
static_assert(1.0 * 1.0 > 0.75 && 3.0 * 3.0 > 27.0 / 4.0, "squares of sqrt(3)/2 and 3 sqrt(3)/2");
// A skin is at least so many rounding errors: rest, settled and hard differ by quarters of it.
inline constexpr int kSkinRoundingErrors = 4;
// Of the radius: what rounding counts for at least, since contacts are found up to such a part.
inline constexpr double kLeastRounding = 0x1p-40;

template <class Real>
[[nodiscard]] double unit_in_last_place(double magnitude) noexcept {
    constexpr double kLeast = double{std::numeric_limits<Real>::min()};
    const int exponent = std::ilogb(std::max(magnitude, kLeast));
    return std::ldexp(double{std::numeric_limits<Real>::epsilon()}, exponent);
}

template <class Real>
class SkinRule {
public:
    // `requested`: the skin that was asked for. Requires: radii > 0, requested >= 0.
    SkinRule(const Shape<Real>& shape, Real requested) noexcept {
        const Vec3 radii = widened(shape.radii);
        const double smallest = std::min({radii.x, radii.y, radii.z});
        least_ = std::max(double{requested}, kSkinRoundingErrors * kLeastRounding * smallest);
        aside_ = kMostAside *
                 (norm_max(radii) + least_ + norm_one(widened(shape.half_axis)) +
                  norm_one(widened(shape.side_axes[0])) + norm_one(widened(shape.side_axes[1])));
    }

    // [length] of the skin where no coordinate counts.
    [[nodiscard]] double least() const noexcept { return least_; }
    // The largest coordinate of a position, with room for what a body is pushed and lifted from it.
    [[nodiscard]] double reach_of(const Vec3& position) const noexcept {
        return std::max({std::fabs(position.x), std::fabs(position.y), std::fabs(position.z)}) +
               aside_;
    }
    // What a move keeps free on top of that, for lifts.
    [[nodiscard]] static double lift(double skin) noexcept { return kMostAside * skin; }
    // [length] what is taken from a distance by rounding a position with coordinates of up to
    // `reach`.
    [[nodiscard]] static double rounding_at(double reach) noexcept {
        return kRoundingUnits<Real> * unit_in_last_place<Real>(reach);
    }
    // The skin for coordinates of up to `reach`; infinite where there are no such numbers.
    [[nodiscard]] double skin_for(double reach) const noexcept {
        return std::max(least_, kSkinRoundingErrors * rounding_at(reach));
    }
    [[nodiscard]] double skin_at(const Vec3& position) const noexcept {
        return skin_for(reach_of(position));
    }
    // skin_for(reach) <= skin for each reach below this, a power of two.
    // Requires: skin > 0, finite.
    [[nodiscard]] double top_of(double skin) const noexcept {
        constexpr double kUnits = kSkinRoundingErrors * kRoundingUnits<Real>;
        int exponent = std::ilogb(skin / kUnits);
        if (kUnits * std::ldexp(1.0, exponent) > skin) --exponent;  // the quotient was rounded up
        return std::ldexp(1.0, exponent + std::numeric_limits<Real>::digits);
    }

private:
    // In radii and skins: more than the four radii that a body is pushed out by, and the six skins
    // that it is lifted and moved back to rest by.
    static constexpr double kMostAside = 8.0;

    double least_ = 0.0;
    double aside_ = 0.0;
};

}  // namespace graze::slide
