#include "rigid/convex/hull_points.hpp"

#include <algorithm>
#include <array>

#include "graze/core/instruction_set.hpp"
#include "graze/core/target_pragmas.hpp"

namespace graze::rigid::detail {

HullPoints::HullPoints(std::span<const Vec3> given) : points(given.begin(), given.end()) {
    const std::size_t count = (points.size() + kLanes - 1) / kLanes;
    blocks.resize(3 * kLanes * count);
    for (std::size_t i = 0; i < kLanes * count; ++i) {
        const Vec3& p = points[i < points.size() ? i : 0];
        double* const block = &blocks[3 * kLanes * (i / kLanes)];
        for (std::size_t axis = 0; axis < 3; ++axis)
            block[axis * kLanes + i % kLanes] = p[axis];
    }
}

namespace {
namespace portable {
#include "rigid/convex/hull_kernels.inc"
}  // namespace portable

#ifdef GRAZE_X86_DISPATCH
GRAZE_TARGET_BEGIN("avx2")
namespace avx2 {
#include "rigid/convex/hull_kernels.inc"
}  // namespace avx2
GRAZE_TARGET_END

[[nodiscard]] bool has_avx2() noexcept {
    static const bool is_there = is_available(InstructionSet::Avx2);
    return is_there;
}
#endif

}  // namespace

double largest_along(const HullPoints& hull, const Vec3& m) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (has_avx2()) return avx2::largest(hull, m);
#endif
    return portable::largest(hull, m);
}

Extreme extreme_along(const HullPoints& hull, const Vec3& m) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (has_avx2()) return avx2::extreme(hull, m);
#endif
    return portable::extreme(hull, m);
}

}  // namespace graze::rigid::detail
