// Contacts that hold exactly, built on an integer grid: what the generated families start from.
//
//   At the time t* = k / 2^m the contact point P lies in both primitives, with barycentric weights
//   in eighths and edge vectors that are multiples of 8; each vertex x has a velocity V, a multiple
//   of 2^m, so that start = x - t* V and end = x + (1 - t*) V are integers.
// All of it stays below 2^40, so that the arithmetic and the conversion to double are exact;
// scaling by powers of two keeps it so.
#pragma once

#include <array>
#include <cstdint>

#include "graze/io/query_file.hpp"

namespace graze::generate {

// SplitMix64 (Steele, Lea and Flood 2014): std distributions differ between standard libraries.
class Random {
public:
    explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t bits() noexcept {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    // In [low, high].
    std::int64_t integer(std::int64_t low, std::int64_t high) noexcept {
        const auto span = static_cast<std::uint64_t>(high - low) + 1;
        return low + static_cast<std::int64_t>(bits() % span);
    }
    bool chance(int one_in) noexcept { return integer(1, one_in) == 1; }
    // In [-1, 1), 53 bits.
    double uniform() noexcept { return static_cast<double>(bits() >> 11) * 0x1p-52 - 1.0; }

private:
    std::uint64_t state_;
};

struct GridVector {
    std::array<std::int64_t, 3> c{};

    friend GridVector operator+(const GridVector& a, const GridVector& b) noexcept {
        return {{a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2]}};
    }
    friend GridVector operator-(const GridVector& a, const GridVector& b) noexcept {
        return {{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}};
    }
    friend GridVector operator*(std::int64_t s, const GridVector& a) noexcept {
        return {{s * a.c[0], s * a.c[1], s * a.c[2]}};
    }
};

// Coordinates in [-size, size].
[[nodiscard]] GridVector grid_vector(Random& random, std::int64_t size) noexcept;

inline constexpr std::int64_t kEighths = 8;  // denominators of barycentric weights
inline constexpr int kTimeBits = 6;          // t* is a multiple of 2^-6
inline constexpr std::int64_t kTimeUnits = std::int64_t{1} << kTimeBits;

using GridMotion = std::array<std::array<GridVector, 2>, 4>;  // [vertex][start, end]

// A contact that holds exactly at t*: where each vertex is then, and how it moves.
struct Blueprint {
    std::int64_t time = 0;  // t* in units of 2^-kTimeBits
    std::array<GridVector, 4> at_contact{};
    std::array<GridVector, 4> velocity{};  // in units of 2^kTimeBits per step
};

// Edge vectors of the primitives; what a family bends to make them degenerate.
struct Shape {
    GridVector first;   // f1 - f0, or a1 - a0, or e1 - e0, in units of 8
    GridVector second;  // f2 - f0, or b1 - b0, in units of 8
};

[[nodiscard]] Shape random_shape(Random& random) noexcept;
// Corners, edges and the inside are all likely; so are t* = 0 and t* = 1.
[[nodiscard]] Blueprint contact_blueprint(QueryKind kind, const Shape& shape,
                                          Random& random) noexcept;
// Half of the blueprints stay contacts; in the others the first vertex is pushed off.
void sometimes_push_off(Blueprint& plan, Random& random) noexcept;

[[nodiscard]] GridMotion motion_of(const Blueprint& plan) noexcept;
// The motion times 2^exponent, as doubles.
[[nodiscard]] io::QueryRecord record_of(const GridMotion& motion, QueryKind kind,
                                        int exponent) noexcept;

}  // namespace graze::generate
