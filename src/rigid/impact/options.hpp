// What every search of a first impact asks of its options.
#pragma once

#include "graze/rigid/impact.hpp"

namespace graze::rigid::detail {

// Written so that a number that is not one is not valid.
[[nodiscard]] inline bool is_valid(const ImpactOptions& options) noexcept {
    return options.min_separation >= 0.0 && options.min_separation <= 0x1p+300 &&
           options.time_width > 0.0 && options.t_max >= 0.0 && options.t_max <= 1.0 &&
           options.max_checks > 0;
}

}  // namespace graze::rigid::detail
