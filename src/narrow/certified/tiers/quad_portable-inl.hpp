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
// As the vector instructions have it: the second where they are equal.
GRAZE_FAST double smaller(double a, double b) noexcept {
    return a < b ? a : b;
}
GRAZE_FAST double larger(double a, double b) noexcept {
    return a > b ? a : b;
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
