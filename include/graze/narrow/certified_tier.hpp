// The tiers of the method `certified`, in the order in which they are asked.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace graze {

enum class CertifiedTier : std::uint8_t {
    Axis,        // a coordinate axis separates the whole motion
    Coincident,  // two vertices coincide at the start
    Normal,      // the normal in the middle of the step separates the whole motion
    Cubic,       // the coplanarity cubic has no root, or all its roots are decided
    Plane,       // all but vertices that stay in it are on one side of a coordinate plane
    Slabs,       // directions separate the motion, slab of time by slab of time; with a minimum
                 // separation up to a contact, too
    Exact,       // integers
    Separation,  // with a minimum separation, what Axis, Normal and Slabs leave: a search
};
inline constexpr std::array<CertifiedTier, 8> kAllCertifiedTiers = {
    CertifiedTier::Axis,  CertifiedTier::Coincident, CertifiedTier::Normal,
    CertifiedTier::Cubic, CertifiedTier::Plane,      CertifiedTier::Slabs,
    CertifiedTier::Exact, CertifiedTier::Separation};
// "axis", "coincident", ...
[[nodiscard]] std::string_view name(CertifiedTier tier) noexcept;

}  // namespace graze
