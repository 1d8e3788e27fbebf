#include "exact_motion.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "descartes.hpp"

namespace graze::oracle {
namespace {

// Smallest e >= 0 such that value * 2^e is an integer.
mp_bitcnt_t fraction_bits(double value) {
    if (value == 0.0) return 0;
    const Dyadic x = dyadic_of(std::fabs(value));
    const mp_bitcnt_t trailing_zeros = mpz_scan1(x.num.get_mpz_t(), 0);
    return x.exponent > trailing_zeros ? x.exponent - trailing_zeros : 0;
}

// value * 2^bits. Requires: bits >= fraction_bits(value).
mpz_class scaled_integer(double value, mp_bitcnt_t bits) {
    const Dyadic x = dyadic_of(std::fabs(value));
    mpz_class result = x.num;
    if (bits >= x.exponent) {
        result <<= bits - x.exponent;
    } else {
        result >>= x.exponent - bits;
    }
    return value < 0.0 ? mpz_class(-result) : result;
}

mp_bitcnt_t axis_fraction_bits(const Query& query, std::size_t axis) {
    mp_bitcnt_t bits = 0;
    for (std::size_t c = 0; c < corner_count(query.kind); ++c) {
        bits = std::max(
            {bits, fraction_bits(query.start[c][axis]), fraction_bits(query.end[c][axis])});
    }
    return bits;
}

IntegerMotion scaled(const Query& query, const std::array<mp_bitcnt_t, 3>& bits) {
    IntegerMotion motion;
    motion.kind = query.kind;
    for (std::size_t c = 0; c < corner_count(query.kind); ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            motion.start[c][k] = scaled_integer(query.start[c][k], bits[k]);
            motion.end[c][k] = scaled_integer(query.end[c][k], bits[k]);
        }
    }
    return motion;
}

}  // namespace

VectorPoly operator-(const VectorPoly& a, const VectorPoly& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

VectorPoly operator+(const VectorPoly& a, const VectorPoly& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

VectorPoly cross(const VectorPoly& a, const VectorPoly& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Poly dot(const VectorPoly& a, const VectorPoly& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

bool is_finite(const Query& query) {
    for (std::size_t c = 0; c < corner_count(query.kind); ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (!std::isfinite(query.start[c][k]) || !std::isfinite(query.end[c][k])) return false;
        }
    }
    return true;
}

IntegerMotion scaled_per_axis(const Query& query) {
    return scaled(query, {axis_fraction_bits(query, 0), axis_fraction_bits(query, 1),
                          axis_fraction_bits(query, 2)});
}

ScaledMotion scaled_uniformly(const Query& query, double separation) {
    mp_bitcnt_t bits = fraction_bits(separation);
    for (std::size_t k = 0; k < 3; ++k)
        bits = std::max(bits, axis_fraction_bits(query, k));
    return {scaled(query, {bits, bits, bits}), scaled_integer(separation, bits)};
}

IntegerMotion restricted_to(const IntegerMotion& motion, double begin, double end) {
    Dyadic b = dyadic_of(begin);
    Dyadic e = dyadic_of(end);
    const mp_bitcnt_t bits = std::max(b.exponent, e.exponent);
    b.num <<= bits - b.exponent;
    e.num <<= bits - e.exponent;
    IntegerMotion part = motion;
    for (std::size_t c = 0; c < corner_count(motion.kind); ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            const mpz_class displacement = motion.end[c][k] - motion.start[c][k];
            const mpz_class origin = motion.start[c][k] << bits;
            part.start[c][k] = origin + b.num * displacement;
            part.end[c][k] = origin + e.num * displacement;
        }
    }
    return part;
}

VectorPoly corner_path(const IntegerMotion& motion, std::size_t c) {
    VectorPoly path;
    for (std::size_t k = 0; k < 3; ++k) {
        path[k] = Poly({motion.start[c][k], motion.end[c][k] - motion.start[c][k]});
    }
    return path;
}

std::vector<Hull> difference_hulls(const IntegerMotion& motion) {
    const auto path = [&](std::size_t c) { return corner_path(motion, c); };
    switch (motion.kind) {
        case Kind::VertexVertex:
            return {{path(1) - path(0)}};
        case Kind::VertexEdge:
            return {{path(1) - path(0), path(2) - path(0)}};
        case Kind::VertexFace: {
            return {{path(1) - path(0), path(2) - path(0), path(3) - path(0)}};
        }
        case Kind::EdgeEdge:
            break;
    }
    const VectorPoly d00 = path(0) - path(2);
    const VectorPoly d01 = path(0) - path(3);
    const VectorPoly d10 = path(1) - path(2);
    const VectorPoly d11 = path(1) - path(3);
    return {{d00, d10, d11}, {d00, d11, d01}};
}

}  // namespace graze::oracle
