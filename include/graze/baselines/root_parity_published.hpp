// `root-parity-published`: root parity as its authors published it (Brochu, Edwards, Bridson:
// Efficient geometrically exact continuous collision detection, ACM TOG 2012), with the failures
// that `root-parity` does not have. Here to reproduce published counts.
//
// What differs from graze/baselines/root_parity.hpp:
//   - A ray crosses a patch whose four corners are in one plane if it crosses either of two
//     triangles. They overlap where the patch is an hourglass, and the parity is then wrong for the
//     rays that cross both.
//   - Where that plane holds the origin, the origin is taken to be on the patch wherever it is in
//     the hull of the corners.
//   - All rays are in the plane z = 0: first (1, 1, 0), then rotated ones. After ten that meet an
//     edge of a triangle the answer is Contact.
// Signs are exact, as there. The first rule is a reconstruction: the authors state none for flat
// patches, and this one is right for all of them but hourglasses, as the miss that Wang et al.
// report suggests.
#pragma once

#include "graze/narrow/method.hpp"

namespace graze {

// The angle of the second ray, (cos a, -sin a, 0). Others follow by the golden angle; the authors
// take random ones. This one is among those with which the hourglass of Wang et al. 2021, appendix
// B, is missed, as that paper reports.
inline constexpr double kPublishedRayAngle = 3.2;

// Guarantee: none. Contact and Separated may both be wrong. Never Unresolved for finite motions and
// valid options without a separation.
// Boolean: toi_lower and toi_upper say nothing. `checks` is 1. No heap. Cost: that of
// root-parity-exact unless a plane separates the image from the origin.
template <CoplanarityMotion Motion>
[[nodiscard]] CcdResult root_parity_published(const Motion& motion, const CcdOptions& options = {},
                                              double ray_angle = kPublishedRayAngle) noexcept;

[[nodiscard]] Method make_root_parity_published() noexcept;

}  // namespace graze
