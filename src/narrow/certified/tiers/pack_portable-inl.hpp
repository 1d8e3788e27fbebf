// Pack in plain C++, of one lane: the reference that the instruction sets give the bits of, for tests.
// One query at a time gains nothing by it. pack-inl.hpp documents and includes it.
#pragma once  // in one pass alone

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

constexpr std::size_t kLanes = 1;

struct Pack {
    double v;
};
struct Mask {
    bool v;
};

GRAZE_PIECE Pack same(double x) noexcept {
    return {x};
}
GRAZE_PIECE Pack gather(const double* numbers, const std::uint8_t* lanes) noexcept {
    return {numbers[lanes[0]]};
}
GRAZE_PIECE Pack operator+(Pack a, Pack b) noexcept {
    return {a.v + b.v};
}
GRAZE_PIECE Pack operator-(Pack a, Pack b) noexcept {
    return {a.v - b.v};
}
GRAZE_PIECE Pack operator*(Pack a, Pack b) noexcept {
    return {a.v * b.v};
}
GRAZE_PIECE Pack operator/(Pack a, Pack b) noexcept {
    return {a.v / b.v};
}
GRAZE_PIECE Pack square_root(Pack a) noexcept {
    return {std::sqrt(a.v)};
}
GRAZE_PIECE Pack smaller(Pack a, Pack b) noexcept {
    return {a.v < b.v ? a.v : b.v};
}
GRAZE_PIECE Pack larger(Pack a, Pack b) noexcept {
    return {a.v > b.v ? a.v : b.v};
}
GRAZE_PIECE Pack magnitude(Pack a) noexcept {
    return {std::fabs(a.v)};
}
GRAZE_PIECE Mask above(Pack a, Pack b) noexcept {
    return {a.v > b.v};
}
GRAZE_PIECE Mask equal(Pack a, Pack b) noexcept {
    return {a.v == b.v};
}
GRAZE_PIECE Mask operator&(Mask a, Mask b) noexcept {
    return {a.v && b.v};
}
GRAZE_PIECE Mask operator|(Mask a, Mask b) noexcept {
    return {a.v || b.v};
}
// a and not b.
GRAZE_PIECE Mask without(Mask a, Mask b) noexcept {
    return {a.v && !b.v};
}
GRAZE_PIECE Pack where(Mask mask, Pack x, Pack y) noexcept {
    return {mask.v ? x.v : y.v};
}
// Bit i: is lane i set?
GRAZE_PIECE unsigned bits(Mask mask) noexcept {
    return mask.v ? 1U : 0U;
}
// The power of two that brings a normal number m from 2^-1022 to below 2^1023 into [1, 2).
GRAZE_PIECE Pack inverse_power(Pack m) noexcept {
    const std::uint64_t biased = std::bit_cast<std::uint64_t>(m.v) >> 52;
    return {std::bit_cast<double>((2046 - biased) << 52)};
}
// kCount numbers, a multiple of 8, of each lane's row: numbers[k] holds the k-th of each.
template <std::size_t kCount>
GRAZE_PIECE void load_rows(const double* const (&rows)[kLanes], Pack (&numbers)[kCount]) noexcept {
    for (std::size_t k = 0; k < kCount; ++k)
        numbers[k] = {rows[0][k]};
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END
