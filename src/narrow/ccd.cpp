#include "graze/narrow/ccd.hpp"

#include <array>
#include <charconv>
#include <string>

namespace graze {
namespace {

// Every comparison is false for NaN.
bool is_not_negative(double x) noexcept {
    return x >= 0.0 && x < kInfinity;
}
bool is_positive(double x) noexcept {
    return x > 0.0 && x < kInfinity;
}
bool is_share_of_step(double x) noexcept {
    return x >= 0.0 && x <= 1.0;
}

Error out_of_range(const char* option, double value, const char* range) {
    std::array<char, 32> digits{};  // the shortest that read back as the value are at most 24
    const auto [end, code] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return {std::string(option) + " = " + std::string(digits.data(), end) + " is not " + range,
            ErrorCode::InvalidOption};
}

}  // namespace

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
    return is_not_negative(options.min_separation) && is_positive(options.distance_tolerance) &&
           is_positive(options.time_width) && is_share_of_step(options.t_max) &&
           options.max_checks >= 1;
}

Expected<void> check(const CcdOptions& options) {
    if (!is_not_negative(options.min_separation))
        return out_of_range("min_separation", options.min_separation, "finite and >= 0");
    if (!is_positive(options.distance_tolerance))
        return out_of_range("distance_tolerance", options.distance_tolerance, "finite and > 0");
    if (!is_positive(options.time_width))
        return out_of_range("time_width", options.time_width, "finite and > 0");
    if (!is_share_of_step(options.t_max)) return out_of_range("t_max", options.t_max, "in [0, 1]");
    if (options.max_checks < 1)
        return Error{"max_checks = 0 is not at least 1", ErrorCode::InvalidOption};
    return {};
}

}  // namespace graze
