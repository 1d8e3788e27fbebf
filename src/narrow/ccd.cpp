#include "graze/narrow/ccd.hpp"

namespace graze {

std::string_view name(Verdict verdict) noexcept {
    switch (verdict) {
        case Verdict::Separated:
            return "separated";
        case Verdict::Contact:
            return "contact";
        case Verdict::Unresolved:
            return "unresolved";
    }
    return "?";
}

bool is_valid(const CcdOptions& options) noexcept {
    // Every comparison is false for NaN.
    return options.min_separation >= 0.0 && options.min_separation < kInfinity &&
           options.distance_tolerance > 0.0 && options.distance_tolerance < kInfinity &&
           options.time_width > 0.0 && options.time_width < kInfinity && options.t_max >= 0.0 &&
           options.t_max <= 1.0 && options.max_checks >= 1;
}

}  // namespace graze
