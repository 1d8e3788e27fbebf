// Gaps over a slab of time, for boxes and for pieces (RI-5).
#include "rigid/impact/slab.hpp"

#include <algorithm>

#include "graze/core/instruction_set.hpp"
#include "graze/core/rounding.hpp"
#include "graze/core/target_pragmas.hpp"

namespace graze::rigid::detail {

namespace {

[[nodiscard]] Vec3 magnitudes(const Vec3& v) noexcept {
    return {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)};
}

// The larger proved fraction, with its guess: each direction is a proof of its own.
[[nodiscard]] const FreeFraction& better(const FreeFraction& a, const FreeFraction& b) noexcept {
    return a.proved >= b.proved ? a : b;
}

}  // namespace

// Directions along B's axes are those of the mean of both rotations, so that they fit both ends alike.
void set_axes(Slab& slab) noexcept {
    const Matrix& first = slab.first.rotation;
    const Matrix& last = slab.last.rotation;
    for (std::size_t j = 0; j < 3; ++j) {
        Vec3 axis;
        axis[j] = 1.0;
        slab.axes.set(j, axis);
        slab.in_a.set(j, axis);
        slab.in_b_first.set(j, magnitudes(first[j]));
        slab.in_b_last.set(j, magnitudes(last[j]));
        const Vec3 mean =
            unit({first[0][j] + last[0][j], first[1][j] + last[1][j], first[2][j] + last[2][j]});
        slab.axes.set(j + 3, mean);
        slab.in_a.set(j + 3, magnitudes(mean));
        slab.in_b_first.set(j + 3, magnitudes(transposed_times(first, mean)));
        slab.in_b_last.set(j + 3, magnitudes(transposed_times(last, mean)));
    }
}

// K = |acceleration| dt^2 / 2 (RI-4, RI-5), for the centre and per distance from it; the factors
// 1 + 2^-40 pay for the rounding errors of K and for | |n| - 1 | <= 2^-45.
Slab make_slab(const RelativeMotion& motion, const Frame& first, const Frame& last,
               double separation) noexcept {
    Slab slab;
    slab.first = first;
    slab.last = last;
    slab.length = sub_up(last.t, first.t);
    slab.slack = (motion.error() + separation) * (1.0 + 0x1p-40);
    const double half_sq = 0.5 * slab.length * slab.length * (1.0 + 0x1p-40);
    slab.centre_bulge = motion.centre_acceleration() * half_sq;
    slab.rotation_bulge = motion.angle_sq() * half_sq;
    set_axes(slab);
    return slab;
}

namespace {
namespace portable {
#include "rigid/impact/slab_kernels.inc"
}  // namespace portable

#ifdef GRAZE_X86_DISPATCH
GRAZE_TARGET_BEGIN("avx2")
namespace avx2 {
#include "rigid/impact/slab_kernels.inc"
}  // namespace avx2
GRAZE_TARGET_END

[[nodiscard]] bool has_avx2() noexcept {
    static const bool is_there = is_available(InstructionSet::Avx2);
    return is_there;
}
#endif

}  // namespace

NodeBound free_fraction(const Slab& slab, const Node& a, const Node& b) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (has_avx2()) return avx2::nodes_fraction(slab, a, b);
#endif
    return portable::nodes_fraction(slab, a, b);
}

Corners transformed(const Frame& frame, const Piece& piece) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (has_avx2()) return avx2::transformed_corners(frame, piece);
#endif
    return portable::transformed_corners(frame, piece);
}

FreeFraction free_fraction(const PieceSlab& pair, Vec3& n) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (has_avx2()) return avx2::pieces_fraction(pair, n);
#endif
    return portable::pieces_fraction(pair, n);
}

}  // namespace graze::rigid::detail
