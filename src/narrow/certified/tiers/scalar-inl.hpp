// Single numbers and their bits, for all instruction sets. All exact.
//
// Contract: no branch, no rounding; defined for every double, NaN and infinities included.
#if defined(GRAZE_TIERS_SCALAR_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_SCALAR_INL_HPP
#undef GRAZE_TIERS_SCALAR_INL_HPP
#else
#define GRAZE_TIERS_SCALAR_INL_HPP
#endif

#include <bit>
#include <cstdint>

#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

GRAZE_FAST std::uint64_t bits_of(double x) noexcept {
    return std::bit_cast<std::uint64_t>(x);
}
GRAZE_FAST double from_bits(std::uint64_t x) noexcept {
    return std::bit_cast<double>(x);
}
GRAZE_FAST double magnitude_of(double x) noexcept {
    return from_bits(bits_of(x) & 0x7fff'ffff'ffff'ffffU);
}
// As the vector instructions have it: the second where they are equal.
GRAZE_FAST double smaller(double a, double b) noexcept {
    return a < b ? a : b;
}
GRAZE_FAST double larger(double a, double b) noexcept {
    return a > b ? a : b;
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_SCALAR_INL_HPP
