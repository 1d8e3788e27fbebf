// The larger of two bounds, either of which may be none.
#pragma once

#include <cmath>

namespace graze::rigid::detail {

// std::max(x, NaN) is x: a bound that is no number would be passed over. This one stays, and fails every
// comparison that a proof makes.
[[nodiscard]] inline double larger_bound(double a, double b) noexcept {
    return a > b || std::isnan(a) ? a : b;
}

}  // namespace graze::rigid::detail
