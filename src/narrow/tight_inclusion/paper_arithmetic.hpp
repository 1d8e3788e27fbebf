// F, its order of evaluation and its filter as in the paper (Eq. 1, 2, 4, 5 and 8).
//
// Constants times max(1, largest |coordinate|)^3, per axis: safe, but neither free of units nor
// tight. Derivation: docs/derivations/tight_inclusion.md, TI-6.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "graze/core/instruction_set.hpp"
#include "graze/narrow/tight_inclusion.hpp"
#include "narrow/tight_inclusion/extent.hpp"

namespace graze::inclusion {

// The corners of both primitives and the terms of
//   F = (e_a u + a) - ((e_b u + e_c v) + b),   each at time t
// vertex-face: a = vertex, b = face[0], e_b and e_c its edges, e_a = 0;
// edge-edge:   a and b the first corners, e_a and e_c the edges, e_b = 0.
// Terms that a kind lacks are zero, which changes no bit.
struct PaperCoefficients {
    struct AxisOfF {
        std::array<double, 4> start{};
        std::array<double, 4> end{};
        double reach = 0.0;  // epsilon + d: the target is [-reach, reach]
    };
    std::array<AxisOfF, 3> axes;
    bool edge_edge = false;
    bool prism = false;  // vertex-face: the domain is u + v <= 1
};

class PaperArithmetic {
public:
    // Requires: a finite motion and valid options.
    template <class Motion>
    [[nodiscard]] static PaperArithmetic of(const Motion& motion,
                                            const TightInclusionOptions& options) noexcept;

    // As TightArithmetic's.
    void check_halves(const BoxView& boxes, const Split& split, std::int64_t* first,
                      std::int64_t* second) const noexcept {
        check_halves_(coefficients_, boxes, split, first, second);
    }
    [[nodiscard]] Extent extent(const BoxOfDomain& box) const noexcept;
    // Line 15: w(B) < delta, or B within the target.
    [[nodiscard]] bool is_small(const BoxOfDomain& box) const noexcept;
    // One side of the box of F, as computed.
    [[nodiscard]] Range range(std::size_t axis, const BoxOfDomain& box) const noexcept;
    // Epsilon on this axis.
    [[nodiscard]] double filter(std::size_t axis) const noexcept { return filter_[axis]; }
    [[nodiscard]] const Rates& rates() const noexcept { return rates_; }
    [[nodiscard]] double delta() const noexcept { return delta_; }
    [[nodiscard]] double tolerance(const Extent& extent) const noexcept;

private:
    using CheckFunction = void (*)(const PaperCoefficients&, const BoxView&, const Split&,
                                   std::int64_t*, std::int64_t*) noexcept;

    void set_filter(const Vec3& largest, const TightInclusionOptions& options) noexcept;
    void set_rates() noexcept;

    PaperCoefficients coefficients_;
    std::array<double, 3> filter_{};
    Rates rates_;
    double delta_ = 0.0;
    double min_separation_ = 0.0;
    CheckFunction check_halves_ = nullptr;
};

}  // namespace graze::inclusion
