// What the two searches share: how fine an interval of a parameter may become.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "baselines/interval/enclosure.hpp"
#include "graze/core/assert.hpp"

namespace graze::interval {

// No interval is split that is at most this much of the whole one, however small the tolerance.
// Middles of [0, 1] are exact then, in every rounding mode. Those of [0, t_max] are rounded by at
// most 2^-52 t_max, and each halving halves what the ones before left: after k of them an interval
// is at most (2^-k + 2^-51) t_max wide. A subnormal t_max = m 2^-1074 has m < 2^52 and errors of
// half a unit; where m >= 2^50, 50 halvings leave no more than m 2^-49 units, else at most one.
inline constexpr double kFinest = 0x1p-49;
inline constexpr std::size_t kMaxHalvings = 50;
static_assert(0x1p-50 + 0x1p-51 < kFinest && kMaxHalvings == 50);

// The width down to which [0, end] is split. `length` is how far its parameter moves a point.
[[nodiscard]] inline double finest_width(double tolerance, double length, double end) noexcept {
    return std::max(tolerance / length, kFinest * end);
}

// The two halves; nothing where the interval is fine enough, or no double lies within it.
[[nodiscard]] inline std::optional<std::array<Enclosure, 2>> halves(const Enclosure& x,
                                                                    double finest) noexcept {
    if (!(x.upper() - x.lower() > finest)) return std::nullopt;
    const double middle = 0.5 * (x.lower() + x.upper());
    if (!(x.lower() < middle && middle < x.upper())) return std::nullopt;
    return std::array{Enclosure(x.lower(), middle), Enclosure(middle, x.upper())};
}

// Depth-first: each halving on the way to a box leaves one other half behind.
template <class Box, std::size_t kParameters>
class BoxStack {
public:
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    void push(const Box& box) noexcept {
        GRAZE_ASSERT(size_ < boxes_.size());
        boxes_[size_++] = box;
    }
    [[nodiscard]] Box pop() noexcept { return boxes_[--size_]; }
    [[nodiscard]] const Box& top() const noexcept { return boxes_[size_ - 1]; }
    [[nodiscard]] const Box* begin() const noexcept { return boxes_.data(); }
    [[nodiscard]] const Box* end() const noexcept { return boxes_.data() + size_; }

private:
    std::array<Box, kParameters * kMaxHalvings + 1> boxes_;
    std::size_t size_ = 0;
};

}  // namespace graze::interval
