// Where in [0, 1] a polynomial has a sign, as floating point tells.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "baselines/polynomial_solver.hpp"

namespace graze::baselines {

struct TimeInterval {
    double lower = 0.0;
    double upper = 1.0;
};
[[nodiscard]] constexpr bool overlaps(const TimeInterval& a, const TimeInterval& b) noexcept {
    return a.lower <= b.upper && b.lower <= a.upper;
}

// In ascending order; neighbours may share an end.
class TimeIntervals {
public:
    void add(const TimeInterval& interval) noexcept {
        if (count_ < at_.size()) at_[count_++] = interval;
    }
    [[nodiscard]] const TimeInterval* begin() const noexcept { return at_.data(); }
    [[nodiscard]] const TimeInterval* end() const noexcept { return at_.data() + count_; }
    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

private:
    std::array<TimeInterval, kMaxDegree + 1> at_{};
    std::size_t count_ = 0;
};

enum class WantedSign : std::uint8_t { NotPositive, NotNegative };

// The real parts of all roots (also of complex ones, which a double root may turn into) cut [0, 1]
// into intervals; those are kept at whose middle the polynomial, evaluated, has the sign or is 0.
// The zero polynomial has either sign everywhere. Nothing is proved.
// Requires: finite coefficients of t^0, t^1, ..., at most kMaxDegree + 1.
[[nodiscard]] TimeIntervals intervals_of_sign(std::span<const double> coefficients,
                                              WantedSign sign) noexcept;

}  // namespace graze::baselines
