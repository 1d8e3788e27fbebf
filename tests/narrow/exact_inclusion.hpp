// F of inclusion-based methods in integers of any size: what their boxes are held against.
//
// Every number here is a whole multiple of 2^-kUnit, so that nothing is rounded and nothing has to
// be reduced. Coordinates are multiples of 2^-1074; a computed number in scaled units of an axis
// is a multiple of 2^-1074 times 2^-1074 at worst; times and cells add at most 2^-172.
#pragma once

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "graze/io/query_file.hpp"

namespace graze::testing {

inline constexpr int kUnit = 2400;

// x 2^shift, in units of 2^-kUnit. Requires: x 2^shift finite and a multiple of the unit.
[[nodiscard]] inline mpz_class in_units(double x, int shift = 0) {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);
    mpz_class integer(std::ldexp(fraction, 53));
    const int power = exponent - 53 + shift + kUnit;
    if (power >= 0) return integer << static_cast<mp_bitcnt_t>(power);
    // Exact, or the caller broke the rule above: only zeros are shifted out.
    mpz_class shifted = integer >> static_cast<mp_bitcnt_t>(-power);
    if ((shifted << static_cast<mp_bitcnt_t>(-power)) != integer) throw std::domain_error("units");
    return shifted;
}

// a / b for b > 0, to about 50 bits.
[[nodiscard]] inline double ratio(const mpz_class& a, const mpz_class& b) {
    long exponent_a = 0;
    long exponent_b = 0;
    const double fraction_a = mpz_get_d_2exp(&exponent_a, a.get_mpz_t());
    const double fraction_b = mpz_get_d_2exp(&exponent_b, b.get_mpz_t());
    return std::ldexp(fraction_a / fraction_b, static_cast<int>(exponent_a - exponent_b));
}

// Near to x 2^-kUnit.
[[nodiscard]] inline double to_double(const mpz_class& x) {
    long exponent = 0;
    const double fraction = mpz_get_d_2exp(&exponent, x.get_mpz_t());
    return std::ldexp(fraction, static_cast<int>(exponent) - kUnit);
}

// x in [0, 1] as a whole number of 2^-Bits. Requires: it is one.
template <int Bits>
[[nodiscard]] mpz_class fraction_in(double x) {
    return in_units(x) >> static_cast<mp_bitcnt_t>(kUnit - Bits);
}

// A box of the domain: [t0, t1] x [u0, u1] x [v0, v1].
struct Domain {
    std::array<double, 2> t{};
    std::array<double, 2> u{};
    std::array<double, 2> v{};
};

struct ExactRange {
    mpz_class lower;
    mpz_class upper;
};

// The signed corners that P, Q and R are made of; the parameters that a kind lacks have none.
struct CornersOfF {
    std::array<std::array<int, 4>, 3> sign;  // sign[P, Q or R][corner]
};
[[nodiscard]] inline CornersOfF corners_of_f(QueryKind kind) {
    switch (kind) {
        case QueryKind::VertexFace:
            return {{{{1, -1, 0, 0}, {0, 1, -1, 0}, {0, 1, 0, -1}}}};
        case QueryKind::EdgeEdge:
            return {{{{1, 0, -1, 0}, {-1, 1, 0, 0}, {0, 0, 1, -1}}}};
        case QueryKind::VertexVertex:
            return {{{{1, -1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}}};
        case QueryKind::VertexEdge:
            break;
    }
    return {{{{1, -1, 0, 0}, {0, 1, -1, 0}, {0, 0, 0, 0}}}};
}

// One axis of F(t, u, v) = P(t) + u Q(t) + v R(t).
class ExactF {
public:
    ExactF(QueryKind kind, const io::QueryRecord& record, std::size_t axis) {
        const CornersOfF terms = corners_of_f(kind);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t c = 0; c < vertex_count(kind); ++c) {
                start_[i] += terms.sign[i][c] * in_units(record.corners[c].start[axis]);
                end_[i] += terms.sign[i][c] * in_units(record.corners[c].end[axis]);
            }
        }
    }

    // P, Q and R at one time.
    using Slice = std::array<mpz_class, 3>;

    // Exact: t is a multiple of 2^-1074, and so are the coordinates.
    [[nodiscard]] Slice slice(double t) const {
        const mpz_class time = fraction_in<kTimeBits>(t);
        const mpz_class rest = (mpz_class(1) << kTimeBits) - time;
        Slice moved;
        for (std::size_t i = 0; i < 3; ++i)
            moved[i] = (start_[i] * rest + end_[i] * time) >> kTimeBits;
        return moved;
    }
    // Exact: u and v are multiples of 2^-53.
    [[nodiscard]] static mpz_class value(const Slice& f, double u, double v) {
        return f[0] + ((fraction_in<53>(u) * f[1] + fraction_in<53>(v) * f[2]) >> 53);
    }
    [[nodiscard]] mpz_class at(double t, double u, double v) const { return value(slice(t), u, v); }

    // The smallest and the largest value at the eight corners.
    [[nodiscard]] ExactRange over(const Domain& box) const {
        const mpz_class first = at(box.t[0], box.u[0], box.v[0]);
        ExactRange range{first, first};
        for (const double t : box.t) {
            const Slice f = slice(t);
            for (std::size_t corner = 0; corner < 4; ++corner) {
                const mpz_class here = value(f, box.u[corner >> 1], box.v[corner & 1]);
                range.lower = std::min(range.lower, here);
                range.upper = std::max(range.upper, here);
            }
        }
        return range;
    }

private:
    static constexpr int kTimeBits = 1074;

    std::array<mpz_class, 3> start_;
    std::array<mpz_class, 3> end_;
};

}  // namespace graze::testing
