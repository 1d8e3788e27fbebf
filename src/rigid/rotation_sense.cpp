#include "rigid/rotation_sense.hpp"

#include <array>
#include <cstddef>

#include "graze/core/big_integer.hpp"

namespace graze::rigid {

namespace {

// The product of two quaternions' components, summed. Components times 2^1074 are integers of at
// most 1024 + 1074 bits, so that the products of four, summed, have at most 4 * 2098 + 6.
using Whole = BigInteger<8448>;
static_assert(4 * (1024 + 1074) + 6 <= Whole::kCapacityBits);
struct WholeQuaternion {
    std::array<Whole, 4> parts;
};
[[nodiscard]] WholeQuaternion whole(const Quaternion& q) noexcept {
    return {{Whole::from_scaled(q.w, 1074), Whole::from_scaled(q.x, 1074),
             Whole::from_scaled(q.y, 1074), Whole::from_scaled(q.z, 1074)}};
}
// a* b.
[[nodiscard]] WholeQuaternion conjugate_times(const WholeQuaternion& p,
                                              const WholeQuaternion& q) noexcept {
    const auto& a = p.parts;
    const auto& b = q.parts;
    return {{a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3],
             a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2],
             a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3],
             a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1]}};
}

}  // namespace

// The scalar part of p1 p0* is p0 . p1, the dot product in R^4: a form of degree four in the
// sixteen doubles of the step.
int exact_sign_of_scalar(const PairStep& step) noexcept {
    const WholeQuaternion first =
        conjugate_times(whole(step.a.start.rotation), whole(step.b.start.rotation));
    const WholeQuaternion last =
        conjugate_times(whole(step.a.end.rotation), whole(step.b.end.rotation));
    Whole sum;
    for (std::size_t i = 0; i < 4; ++i)
        sum = sum + first.parts[i] * last.parts[i];
    return sum.sign();
}

}  // namespace graze::rigid
