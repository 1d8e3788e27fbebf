// F and the bound of its rounding errors, ours: free of scale and of offset.
//
//   F(t, u, v) = P(t) + u Q(t) + v R(t),   P, Q, R differences of corners, linear in t.
//
// Each axis is scaled by a power of two of its own, so that its largest difference is in [1, 2):
// nothing overflows, what underflows is far below the filter, and axes of very different size keep
// their accuracy. The test of a box looks at one axis at a time, so this changes nothing else.
// Derivation: docs/derivations/tight_inclusion.md, TI-2 to TI-4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "graze/core/instruction_set.hpp"
#include "graze/narrow/tight_inclusion.hpp"
#include "narrow/tight_inclusion/extent.hpp"

namespace graze::inclusion {

// P, Q and R at one end of the step, as computed from the corners; the parameters that a kind lacks
// have zeros.
struct Differences {
    Vec3 p;
    Vec3 q;
    Vec3 r;
};

// What the tests of boxes need, one entry an axis.
struct TightCoefficients {
    struct AxisOfF {
        std::array<double, 3> start{};  // P, Q, R at t = 0
        std::array<double, 3> end{};    // and at t = 1
        double reach = 0.0;             // epsilon + d: the target is [-reach, reach]
    };
    std::array<AxisOfF, 3> axes;
    bool prism = false;  // vertex-face: the domain is u + v <= 1
};

class TightArithmetic {
public:
    // Requires: a finite motion and valid options.
    template <class Motion>
    [[nodiscard]] static TightArithmetic of(const Motion& motion,
                                            const TightInclusionOptions& options) noexcept;

    // first[i], second[i]: 1 if that half of box i may hold a contact, 0 if that is excluded.
    // Requires: kMaxLanes writable places after each of the two.
    void check_halves(const BoxView& boxes, const Split& split, std::int64_t* first,
                      std::int64_t* second) const noexcept {
        check_halves_(coefficients_, boxes, split, first, second);
    }
    [[nodiscard]] Extent extent(const BoxOfDomain& box) const noexcept;
    // Line 15: w(B) < delta, or B within the target.
    [[nodiscard]] bool is_small(const BoxOfDomain& box) const noexcept;
    // One side of the box of F, as computed, in scaled units of the axis.
    [[nodiscard]] Range range(std::size_t axis, const BoxOfDomain& box) const noexcept;
    // Epsilon on this axis, and the power of two that one unit of it is.
    [[nodiscard]] double filter(std::size_t axis) const noexcept { return filter_[axis]; }
    [[nodiscard]] int exponent(std::size_t axis) const noexcept { return exponent_[axis]; }
    [[nodiscard]] const Rates& rates() const noexcept { return rates_; }
    // In units of the largest axis, as extents are.
    [[nodiscard]] double delta() const noexcept { return delta_; }
    // How near to min_separation the primitives come in a box of this extent that was not excluded
    // [length].
    [[nodiscard]] double tolerance(const Extent& extent) const noexcept;

private:
    using CheckFunction = void (*)(const TightCoefficients&, const BoxView&, const Split&,
                                   std::int64_t*, std::int64_t*) noexcept;

    // The differences of one axis, times 2^-raw_exponent.
    void set_axis(std::size_t axis, const std::array<double, 6>& raw, int raw_exponent) noexcept;
    void set_filter(std::size_t axis, const TightInclusionOptions& options,
                    const std::optional<double>& scene_extent) noexcept;
    void set_rates(double distance_tolerance) noexcept;

    TightCoefficients coefficients_;
    std::array<int, 3> exponent_{};     // axis k was divided by 2^exponent_[k]
    std::array<double, 3> filter_{};    // epsilon, in scaled units of the axis
    std::array<double, 3> in_units_{};  // one scaled unit of the axis, in units of the largest axis
    int unit_exponent_ = 0;             // the largest axis' exponent
    Rates rates_;
    double delta_ = 0.0;
    CheckFunction check_halves_ = nullptr;
};

}  // namespace graze::inclusion
