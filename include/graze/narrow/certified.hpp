// `certified`: exact verdicts at the speed of the approximate methods.
//
// A cascade of tiers, each of which decides with proof or passes on: directions that separate the
// whole motion, the coplanarity cubic with a bound of its errors, and in the end integers of any
// size, which always answer. Derivations: docs/derivations/certified.md,
// docs/derivations/certified_exact.md.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "graze/narrow/method.hpp"

namespace graze {

// Guarantee, for finite motions and valid options, without a separation:
//   - Contact and Separated are exact for the closed domain; never Unresolved.
//   - [toi_lower, toi_upper] holds the exact first time; its width is at most time_width, or the
//     two are neighbouring doubles. toi_lower > 0 unless the first time is 0 or below the smallest
//     double.
//   - t_max is honoured exactly.
// One query is one check.
//
// With a separation d > 0, in either norm:
//   - Separated: the distance is > d on all of [0, t_max], proved.
//   - Contact: the distance is <= d + tolerance at some t <= toi_upper, proved by witness points;
//     tolerance <= distance_tolerance.
//   - [0, toi_lower) is free of distances <= d.
//   - Unresolved where max_checks are spent, or where distance_tolerance is below the rounding of
//     the coordinates' differences. One check is one direction's look at a time.
[[nodiscard]] CcdResult certify(const VertexFaceMotion& motion,
                                const CcdOptions& options = {}) noexcept;
[[nodiscard]] CcdResult certify(const EdgeEdgeMotion& motion,
                                const CcdOptions& options = {}) noexcept;
[[nodiscard]] CcdResult certify(const VertexVertexMotion& motion,
                                const CcdOptions& options = {}) noexcept;
[[nodiscard]] CcdResult certify(const VertexEdgeMotion& motion,
                                const CcdOptions& options = {}) noexcept;

// Who decides: the parts of the cascade, in their order.
enum class CertifiedPart : std::uint8_t {
    Axis,        // a coordinate axis separates the whole motion
    Coincident,  // two corners coincide at the start
    Normal,      // the normal in the middle of the step separates the whole motion
    Cubic,       // the coplanarity cubic has no root, or all its roots are judged
    Plane,       // all but corners that stay in it are on one side of a coordinate plane
    Slabs,       // directions separate the motion, slab of time by slab of time
    Exact,       // integers
    Separation,  // all that is asked with a minimum separation
};
inline constexpr std::array<CertifiedPart, 8> kAllCertifiedParts = {
    CertifiedPart::Axis,  CertifiedPart::Coincident, CertifiedPart::Normal,
    CertifiedPart::Cubic, CertifiedPart::Plane,      CertifiedPart::Slabs,
    CertifiedPart::Exact, CertifiedPart::Separation};
// "axis", "coincident", ...
[[nodiscard]] std::string_view name(CertifiedPart part) noexcept;

// The answer of certify(), the same bits, and who gave it.
struct CertifiedAnswer {
    CcdResult result;
    CertifiedPart part = CertifiedPart::Exact;
};
[[nodiscard]] CertifiedAnswer certify_and_tell(const VertexFaceMotion& motion,
                                               const CcdOptions& options = {}) noexcept;
[[nodiscard]] CertifiedAnswer certify_and_tell(const EdgeEdgeMotion& motion,
                                               const CcdOptions& options = {}) noexcept;
[[nodiscard]] CertifiedAnswer certify_and_tell(const VertexVertexMotion& motion,
                                               const CcdOptions& options = {}) noexcept;
[[nodiscard]] CertifiedAnswer certify_and_tell(const VertexEdgeMotion& motion,
                                               const CcdOptions& options = {}) noexcept;

[[nodiscard]] Method make_certified() noexcept;

}  // namespace graze
