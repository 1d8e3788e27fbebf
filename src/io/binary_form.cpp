#include "graze/io/binary_form.hpp"

#include <cmath>
#include <string>

namespace graze::io::binary_form {
namespace {

// Comparisons with NaN are false, so a time that is NaN makes neither a bracket nor two infinities.
std::optional<Error> time_defect(const TimeBracket& time, std::optional<bool> truth) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const bool is_separated = time.lower == kInfinity && time.upper == kInfinity;
    const bool is_tight =
        time.upper == time.lower || time.upper == std::nextafter(time.lower, kInfinity);
    const bool is_contact = is_tight && 0.0 <= time.lower && time.upper <= 1.0;
    if (!is_separated && !is_contact) {
        return Error{"times are neither equal or neighbouring doubles in [0, 1] nor both infinite",
                     ErrorCode::Malformed};
    }
    if (truth && *truth != is_contact)
        return Error{"times contradict the truth", ErrorCode::Malformed};
    return std::nullopt;
}

}  // namespace

std::optional<Error> defect(const QueryRecord& record, QueryKind kind) {
    for (std::size_t i = 0; i < vertex_count(kind); ++i) {
        if (!is_finite(record.corners[i].start) || !is_finite(record.corners[i].end)) {
            return Error{"corner " + std::to_string(i) + " has a coordinate that is not finite",
                         ErrorCode::NotFinite, i};
        }
    }
    return record.first_time ? time_defect(*record.first_time, record.truth) : std::nullopt;
}

}  // namespace graze::io::binary_form
