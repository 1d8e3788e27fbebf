// The coplanarity cubic and the number of its roots (docs/derivations/certified.md, CERT-3).
//
// Contract: roots_by_signs() answers None and One with proof, or Unknown; never wrong.
//
// Notation
//   f(t)       det(D_0, D_1, D_2), zero iff the vertices are coplanar with the origin. With contact
//              it is zero (edge-edge: D_3 = D_0 - D_1 + D_2 lies in the same plane).
//              f(t) = c0 s^3 + c1 s^2 t + c2 s t^2 + c3 t^3,  s = 1 - t
//   b0 .. b3   Bernstein coefficients: b0 = c0, b1 = c1/3, b2 = c2/3, b3 = c3
//   size       m_x m_y m_z: a determinant is six products of at most size each, |b_i| <= 6 size
//   u          2^-53; all bounds are first order, the reserves pay for the (1 + O(u)) and underflow
//
// Error bounds, in u size
//   c0, c3         48   6 products, 8 rounding errors to each (three differences; product
//                       and difference of a cross product; product and two sums of a dot product)
//   c1, c2        180   sums of three determinants: 18 products, 10 rounding errors
//   b1, b2         60   a third of it, and 72 after multiplying by 1/3 as rounded
//   one halving    18   three averages, one rounding of at most 6 size each; averages do
//                       not magnify errors
//   value()       108   60, and 8 rounding errors on terms that add up to at most 6 size
// Tested against: (80 + 20 depth) u size for coefficients, 128u size for values.
#if defined(GRAZE_TIERS_CUBIC_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_CUBIC_INL_HPP
#undef GRAZE_TIERS_CUBIC_INL_HPP
#else
#define GRAZE_TIERS_CUBIC_INL_HPP
#endif

#include <cstdint>

#include "narrow/certified/tiers/error_forms.hpp"
#include "narrow/certified/tiers/hull-inl.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

// f by its coefficients.
struct Cubic {
    double c0 = 0.0;
    double c1 = 0.0;
    double c2 = 0.0;
    double c3 = 0.0;
    double size = 0.0;
};

static_assert(error_forms::units(error_forms::kDeterminant) == 48);
static_assert(error_forms::units(error_forms::kMiddleCoefficient) == 180);
static_assert(error_forms::kCubicValue.roundings() == 8);
// Of b1 and b2 before they are multiplied by 1/3 as rounded.
constexpr double kCoefficientError = 64.0 * kU;
static_assert(180.0 / 3.0 * kU < kCoefficientError);
constexpr double kValueError = 128.0 * kU;
static_assert((180.0 / 3.0 + 6.0 * 8.0) * kU < kValueError);

GRAZE_FAST Cubic coplanarity(const Hull& h) noexcept {
    // Lanes: D_1 at t = 0, 0, 1, 1 and D_2 at t = 0, 1, 0, 1.
    const Quad ux = pair_up<1>(h.x[0], h.x[1]);
    const Quad uy = pair_up<1>(h.y[0], h.y[1]);
    const Quad uz = pair_up<1>(h.z[0], h.z[1]);
    const Quad vx = alternate<2>(h.x[0], h.x[1]);
    const Quad vy = alternate<2>(h.y[0], h.y[1]);
    const Quad vz = alternate<2>(h.z[0], h.z[1]);
    const Quad nx = uy * vz - uz * vy;
    const Quad ny = uz * vx - ux * vz;
    const Quad nz = ux * vy - uy * vx;
    const Quad start =
        (broadcast<0>(h.x[0]) * nx + broadcast<0>(h.y[0]) * ny) + broadcast<0>(h.z[0]) * nz;
    const Quad end =
        (broadcast<0>(h.x[1]) * nx + broadcast<0>(h.y[1]) * ny) + broadcast<0>(h.z[1]) * nz;
    Cubic f;
    f.c0 = lane<0>(start);
    f.c1 = (lane<1>(start) + lane<2>(start)) + lane<0>(end);
    f.c2 = (lane<3>(start) + lane<1>(end)) + lane<2>(end);
    f.c3 = lane<3>(end);
    f.size = (lane<0>(h.m) * lane<1>(h.m)) * lane<2>(h.m);
    return f;
}

GRAZE_FAST double value(const Cubic& f, double t) noexcept {
    const double s = 1.0 - t;
    return ((f.c0 * s + f.c1 * t) * s) * s + ((f.c2 * s + f.c3 * t) * t) * t;
}

// +1, -1: the sign is certain; 0: it is not.
GRAZE_FAST int certain_sign(double x, double error) noexcept {
    return x > error ? 1 : x < -error ? -1 : 0;
}

// --- Roots in a piece of the step ---------------------------------------------------------------

// Bernstein coefficients on [begin, end] after `depth` halvings.
struct Piece {
    double b0 = 0.0;
    double b1 = 0.0;
    double b2 = 0.0;
    double b3 = 0.0;
    double begin = 0.0;
    double end = 1.0;
    int depth = 0;
};
constexpr int kMaxDepth = 10;

GRAZE_PIECE Piece whole_step(const Cubic& f) noexcept {
    constexpr double kThird = 1.0 / 3.0;
    return {f.c0, f.c1 * kThird, f.c2 * kThird, f.c3, 0.0, 1.0, 0};
}

// What the signs of the coefficients prove about the roots in the piece.
enum class Roots : std::uint8_t { None, One, Unknown };
// None: all four of one certain sign. The Bernstein polynomials are positive inside, and f(begin),
//       f(end) are b0 and b3.
// One:  b0 and b3 of certain and opposite signs, and b1 like b0 or b2 like b3: whatever the
//       uncertain one is, the signs change once, hence exactly one zero (Descartes' rule in the
//       Bernstein basis), and none at the ends.
GRAZE_FAST Roots roots_by_signs(const Piece& p, double size) noexcept {
    const double error = (80.0 + 20.0 * static_cast<double>(p.depth)) * kU * size + kUnderflow;
    const int s0 = certain_sign(p.b0, error);
    const int s1 = certain_sign(p.b1, error);
    const int s2 = certain_sign(p.b2, error);
    const int s3 = certain_sign(p.b3, error);
    if (s0 == 0 || s3 == 0) return Roots::Unknown;
    if (s0 == s3) return s1 == s0 && s2 == s0 ? Roots::None : Roots::Unknown;
    return s1 == s0 || s2 == s3 ? Roots::One : Roots::Unknown;
}

// De Casteljau at the middle.
GRAZE_FAST void halve(const Piece& p, Piece& first, Piece& second) noexcept {
    const double m01 = 0.5 * (p.b0 + p.b1);
    const double m12 = 0.5 * (p.b1 + p.b2);
    const double m23 = 0.5 * (p.b2 + p.b3);
    const double l = 0.5 * (m01 + m12);
    const double r = 0.5 * (m12 + m23);
    const double m = 0.5 * (l + r);
    const double middle = 0.5 * (p.begin + p.end);
    first = {p.b0, m01, l, m, p.begin, middle, p.depth + 1};
    second = {m, r, m23, p.b3, middle, p.end, p.depth + 1};
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_CUBIC_INL_HPP
