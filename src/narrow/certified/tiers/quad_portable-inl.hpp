// Quad in plain C++, for every machine and for graphics processors: the reference that the other
// instruction sets give the bits of. quad-inl.hpp documents and includes it.
#pragma once  // in one pass alone

#include <cmath>

#include "graze/core/vec3.hpp"
#include "narrow/certified/tiers/scalar-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

// Rounded to nearest; NaN below zero.
GRAZE_FAST double square_root(double x) noexcept {
    return std::sqrt(x);
}

struct Quad {
    double v[4];
};
GRAZE_FAST Quad quad(double a, double b, double c, double d) noexcept {
    return {{a, b, c, d}};
}
GRAZE_FAST Quad all(double x) noexcept {
    return {{x, x, x, x}};
}
GRAZE_FAST Quad load(const Vec3& p) noexcept {
    return {{p.x, p.y, p.z, 0.0}};
}
GRAZE_FAST Quad operator+(Quad a, Quad b) noexcept {
    return {{a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2], a.v[3] + b.v[3]}};
}
GRAZE_FAST Quad operator-(Quad a, Quad b) noexcept {
    return {{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2], a.v[3] - b.v[3]}};
}
GRAZE_FAST Quad operator*(Quad a, Quad b) noexcept {
    return {{a.v[0] * b.v[0], a.v[1] * b.v[1], a.v[2] * b.v[2], a.v[3] * b.v[3]}};
}
GRAZE_FAST Quad operator/(Quad a, Quad b) noexcept {
    return {{a.v[0] / b.v[0], a.v[1] / b.v[1], a.v[2] / b.v[2], a.v[3] / b.v[3]}};
}
GRAZE_FAST Quad square_root(Quad a) noexcept {
    return {{square_root(a.v[0]), square_root(a.v[1]), square_root(a.v[2]), square_root(a.v[3])}};
}
GRAZE_FAST Quad smaller(Quad a, Quad b) noexcept {
    return {{smaller(a.v[0], b.v[0]), smaller(a.v[1], b.v[1]), smaller(a.v[2], b.v[2]),
             smaller(a.v[3], b.v[3])}};
}
GRAZE_FAST Quad larger(Quad a, Quad b) noexcept {
    return {{larger(a.v[0], b.v[0]), larger(a.v[1], b.v[1]), larger(a.v[2], b.v[2]),
             larger(a.v[3], b.v[3])}};
}
GRAZE_FAST Quad magnitude(Quad a) noexcept {
    return {
        {magnitude_of(a.v[0]), magnitude_of(a.v[1]), magnitude_of(a.v[2]), magnitude_of(a.v[3])}};
}
// Bit i: does the relation hold in lane i?
GRAZE_FAST unsigned above(Quad a, Quad b) noexcept {
    return (a.v[0] > b.v[0] ? 1U : 0U) | (a.v[1] > b.v[1] ? 2U : 0U) | (a.v[2] > b.v[2] ? 4U : 0U) |
           (a.v[3] > b.v[3] ? 8U : 0U);
}
GRAZE_FAST unsigned equal(Quad a, Quad b) noexcept {
    return (a.v[0] == b.v[0] ? 1U : 0U) | (a.v[1] == b.v[1] ? 2U : 0U) |
           (a.v[2] == b.v[2] ? 4U : 0U) | (a.v[3] == b.v[3] ? 8U : 0U);
}
// By lane: a > b ? x : y.
GRAZE_FAST Quad where_above(Quad a, Quad b, Quad x, Quad y) noexcept {
    return {{a.v[0] > b.v[0] ? x.v[0] : y.v[0], a.v[1] > b.v[1] ? x.v[1] : y.v[1],
             a.v[2] > b.v[2] ? x.v[2] : y.v[2], a.v[3] > b.v[3] ? x.v[3] : y.v[3]}};
}
template <int I>
GRAZE_FAST double lane(Quad a) noexcept {
    return a.v[I];
}
template <int I>
GRAZE_FAST Quad broadcast(Quad a) noexcept {
    return all(a.v[I]);
}
// Lane I of a, a, b, b; and of a, b, a, b.
template <int I>
GRAZE_FAST Quad pair_up(Quad a, Quad b) noexcept {
    return {{a.v[I], a.v[I], b.v[I], b.v[I]}};
}
template <int I>
GRAZE_FAST Quad alternate(Quad a, Quad b) noexcept {
    return {{a.v[I], b.v[I], a.v[I], b.v[I]}};
}
// Lanes 1, 2, 3, 0.
GRAZE_FAST Quad rotate(Quad a) noexcept {
    return {{a.v[1], a.v[2], a.v[3], a.v[0]}};
}
GRAZE_FAST double sum(Quad a) noexcept {
    return (a.v[0] + a.v[1]) + (a.v[2] + a.v[3]);
}
// The least and the largest lane.
GRAZE_FAST double least_lane(Quad a) noexcept {
    return smaller(smaller(a.v[0], a.v[2]), smaller(a.v[1], a.v[3]));
}
GRAZE_FAST double largest_lane(Quad a) noexcept {
    return larger(larger(a.v[0], a.v[2]), larger(a.v[1], a.v[3]));
}
// By lane: the least of a, of b, of c and of d; and the largest.
GRAZE_FAST double least_in_pairs(Quad a) noexcept {
    return smaller(smaller(a.v[0], a.v[1]), smaller(a.v[2], a.v[3]));
}
GRAZE_FAST double largest_in_pairs(Quad a) noexcept {
    return larger(larger(a.v[0], a.v[1]), larger(a.v[2], a.v[3]));
}
GRAZE_FAST Quad least_of_each(Quad a, Quad b, Quad c, Quad d) noexcept {
    return {{least_in_pairs(a), least_in_pairs(b), least_in_pairs(c), least_in_pairs(d)}};
}
GRAZE_FAST Quad largest_of_each(Quad a, Quad b, Quad c, Quad d) noexcept {
    return {{largest_in_pairs(a), largest_in_pairs(b), largest_in_pairs(c), largest_in_pairs(d)}};
}
// Of the first three lanes; the fourth becomes zero.
GRAZE_FAST Quad cross(Quad a, Quad b) noexcept {
    return {{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
             a.v[0] * b.v[1] - a.v[1] * b.v[0], 0.0}};
}
GRAZE_FAST void store(Quad a, double (&to)[4]) noexcept {
    for (int i = 0; i < 4; ++i)
        to[i] = a.v[i];
}
// From four points by axis to three coordinates by vertex.
GRAZE_FAST void transpose(const Quad (&d)[4], Quad& x, Quad& y, Quad& z) noexcept {
    x = {{d[0].v[0], d[1].v[0], d[2].v[0], d[3].v[0]}};
    y = {{d[0].v[1], d[1].v[1], d[2].v[1], d[3].v[1]}};
    z = {{d[0].v[2], d[1].v[2], d[2].v[2], d[3].v[2]}};
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END
