// Queries on which the methods of the study differ: small, exact, each with one peculiarity.
#pragma once

#include "graze/narrow/query_kind.hpp"

namespace graze::testing {

[[nodiscard]] constexpr MovingPoint moving(const Vec3& start, const Vec3& end) noexcept {
    return {start, end};
}
[[nodiscard]] constexpr MovingPoint resting(const Vec3& at) noexcept {
    return {at, at};
}

// A vertex against the resting triangle (0,0,0) (1,0,0) (0,1,0).
[[nodiscard]] constexpr VertexFaceMotion against_unit_triangle(const Vec3& start,
                                                               const Vec3& end) noexcept {
    return {moving(start, end), {resting({0, 0, 0}), resting({1, 0, 0}), resting({0, 1, 0})}};
}

// P1: contact at 0.9; the triangle has no area at 0.5, and one patch is an hourglass.
inline constexpr VertexFaceMotion kProbe1{
    resting({.1, .1, .1}),
    {moving({0, 0, 1}, {0, 0, 0}), moving({1, 0, 1}, {0, 1, 0}), moving({0, 1, 1}, {1, 0, 0})}};
// P2: no contact; the coplanarity cubic has an inflection within the step.
inline constexpr VertexFaceMotion kProbe2{
    resting({1, 1, 0}),
    {moving({0, 0, 5}, {0, 0, -1}), moving({2, 0, 2}, {0, 0, -2}), moving({0, 1, 0}, {0, 7, 0})}};
// Everything stays in the plane z = 1.
[[nodiscard]] constexpr VertexFaceMotion coplanar_probe(double x) noexcept {
    return {resting({x, .5, 1}),
            {moving({0, .57, 1}, {0, .28, 1}), moving({1, .57, 1}, {1, .28, 1}),
             moving({1, 1.57, 1}, {1, 1.28, 1})}};
}
inline constexpr VertexFaceMotion kProbe3 = coplanar_probe(1);  // P3: contact at 7/29
inline constexpr VertexFaceMotion kProbe4 = coplanar_probe(5);  // P4: no contact

// P5: parallel edges, contact at 0.5; in one plane, and not.
inline constexpr EdgeEdgeMotion kProbe5{
    {resting({0, 0, 0}), resting({1, 0, 0})},
    {moving({.2, 1, 0}, {.2, -1, 0}), moving({1.2, 1, 0}, {1.2, -1, 0})}};
inline constexpr EdgeEdgeMotion kProbe5Oblique{
    {resting({0, 0, 0}), resting({1, 0, 0})},
    {moving({.2, .3, 1}, {.2, -.3, -1}), moving({1.2, .3, 1}, {1.2, -.3, -1})}};

// P6: rests in the triangle. P7: rests in its plane, beside it; no contact.
inline constexpr VertexFaceMotion kProbe6 = against_unit_triangle({.2, .2, 0}, {.2, .2, 0});
inline constexpr VertexFaceMotion kProbe7 = against_unit_triangle({2, 2, 0}, {2, 2, 0});

// P8: comes down from 1 to `height` above the triangle; no contact.
[[nodiscard]] constexpr VertexFaceMotion descent_probe(double height) noexcept {
    return against_unit_triangle({.2, .3, 1}, {.2, .3, height});
}

// P9: two contacts, at 0.1 (u = 0.8) and at 0.3 (u = 0.2).
inline constexpr EdgeEdgeMotion kProbe9{
    {resting({0, 0, 0}), resting({1, 0, 0})},
    {moving({0, 0, -1}, {0, 1, -1}), moving({3.1, .3, 1}, {-3.9, -4.7, 11})}};

// P10: passes an edge of the triangle at the distance e; no contact for e > 0.
[[nodiscard]] constexpr VertexFaceMotion passing_probe(double e) noexcept {
    return against_unit_triangle({.5, -e, 1}, {.5, -e, -1});
}

// P11: contact at 0.5, inside the triangle.
inline constexpr VertexFaceMotion kProbe11 = against_unit_triangle({.2, .3, 1}, {.2, .3, -1});

}  // namespace graze::testing
