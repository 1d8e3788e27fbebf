// Queries from a number: the random set of the paper behind `safe-cubic`, and the two families on
// which its basic test fails (sections 3.3 and 5 there). The same bits on every machine.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "graze/narrow/query_kind.hpp"

namespace graze::testing {

// splitmix64: every number is a fine seed, so that query i of a seed needs none of those before it.
class Dice {
public:
    explicit Dice(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t next() noexcept {
        state_ += 0x9e37'79b9'7f4a'7c15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9U;
        z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11ebU;
        return z ^ (z >> 31);
    }
    // Uniform in [0, 1), a multiple of 2^-53.
    double fraction() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }
    // Uniform in [-1, 1), a multiple of 2^-bits.
    double on_grid(int bits) noexcept {
        const auto k = static_cast<std::int64_t>(next()) >> (63 - bits);
        return static_cast<double>(k) / static_cast<double>(std::int64_t{1} << bits);
    }
    Vec3 point_on_grid(int bits) noexcept {
        const double x = on_grid(bits);
        const double y = on_grid(bits);
        return {x, y, on_grid(bits)};
    }
    Vec3 point_in_cube() noexcept {
        const double x = fraction();
        const double y = fraction();
        return {x, y, fraction()};
    }

private:
    std::uint64_t state_;
};

[[nodiscard]] inline Dice dice_for(std::uint64_t seed, std::uint64_t index) noexcept {
    Dice mixed(seed);
    return Dice(mixed.next() ^ (index * 0xd1b5'4a32'd192'ed03U));
}

// Where a query is put: coordinates times `factor`, plus `offset`, rounded.
struct ScaleAndOffset {
    double factor = 1.0;
    double offset = 0.0;
};
[[nodiscard]] inline Vec3 placed(const Vec3& p, const ScaleAndOffset& place) noexcept {
    return {place.factor * p.x + place.offset, place.factor * p.y + place.offset,
            place.factor * p.z + place.offset};
}

// Positions and velocities uniform in a unit cube; velocities of both signs.
template <class Motion>
[[nodiscard]] Motion random_set_query(std::uint64_t seed, std::uint64_t index,
                                      const ScaleAndOffset& place = {}) noexcept {
    Dice dice = dice_for(seed, index);
    std::array<MovingPoint, Motion::kVertices> corners;
    for (MovingPoint& corner : corners) {
        const Vec3 start = dice.point_in_cube();
        const Vec3 velocity = dice.point_in_cube() - Vec3{0.5, 0.5, 0.5};
        corner = {placed(start, place), placed(start + velocity, place)};
    }
    return motion_from_vertices<Motion>(corners);
}

namespace detail {

// A vertex that is at `middle` at t = 1/2. Exact: both are multiples of 2^-50 below 1, so that the
// end is one below 3.
[[nodiscard]] inline MovingPoint through(const Vec3& middle, const Vec3& start) noexcept {
    return {start, 2.0 * middle - start};
}

}  // namespace detail

// Everything shrinks to nearly a point at t = 1/2, when the two touch inside: F has three roots
// that no double distinguishes, and where the solver finds one the weights are those of another
// place.
[[nodiscard]] inline VertexFaceMotion shrinking_face(std::uint64_t seed) noexcept {
    Dice dice(seed);
    const Vec3 place = 0x1p-2 * dice.point_on_grid(20);
    std::array<Vec3, 3> face;
    for (Vec3& corner : face)
        corner = place + 0x1p-24 * dice.point_on_grid(20);
    const Vec3 vertex = 0.25 * face[0] + 0.25 * face[1] + 0.5 * face[2];
    const auto start = [&dice] { return 0.5 * dice.point_on_grid(20); };
    return {detail::through(vertex, start()),
            {detail::through(face[0], start()), detail::through(face[1], start()),
             detail::through(face[2], start())}};
}
[[nodiscard]] inline EdgeEdgeMotion shrinking_edges(std::uint64_t seed) noexcept {
    Dice dice(seed);
    const Vec3 place = 0x1p-2 * dice.point_on_grid(20);
    const Vec3 a = 0x1p-24 * dice.point_on_grid(20);
    const Vec3 b = 0x1p-24 * dice.point_on_grid(20);
    const auto start = [&dice] { return 0.5 * dice.point_on_grid(20); };
    return {{detail::through(place - a, start()), detail::through(place + a, start())},
            {detail::through(place - b, start()), detail::through(place + b, start())}};
}

// A face at rest, and a vertex that moves through it at t = 1/2, parallel to its plane but for the
// last bits: where the cubic vanishes is lost in the rounding of its coefficients, and the vertex
// is inside the face during a small fraction of the step alone.
[[nodiscard]] inline VertexFaceMotion parallel_to_face(std::uint64_t seed) noexcept {
    Dice dice(seed);
    std::array<Vec3, 3> face;
    for (Vec3& corner : face)
        corner = 0x1p-4 * dice.point_on_grid(36);
    const Vec3 middle = 0.25 * face[0] + 0.25 * face[1] + 0.5 * face[2];
    const Vec3 along = 4.0 * (face[1] - face[0]) + dice.on_grid(2) * (face[2] - face[0]);
    const Vec3 off = 0x1p-50 * dice.point_on_grid(2);
    const auto rest = [](const Vec3& corner) { return MovingPoint{corner, corner}; };
    return {{middle - along - off, middle + along + off},
            {rest(face[0]), rest(face[1]), rest(face[2])}};
}
// The same for edges: one passes over the other, in the plane of both but for the last bits.
[[nodiscard]] inline EdgeEdgeMotion parallel_to_edges(std::uint64_t seed) noexcept {
    Dice dice(seed);
    const Vec3 place = 0x1p-4 * dice.point_on_grid(36);
    const Vec3 a = 0x1p-4 * dice.point_on_grid(36);
    const Vec3 b = 0x1p-4 * dice.point_on_grid(36);
    const Vec3 along = 4.0 * a + 2.0 * b + 0x1p-50 * dice.point_on_grid(2);
    const auto rest = [](const Vec3& corner) { return MovingPoint{corner, corner}; };
    const auto passing = [&along](const Vec3& middle) {
        return MovingPoint{middle - along, middle + along};
    };
    return {{rest(place - a), rest(place + a)}, {passing(place - b), passing(place + b)}};
}

// Exact contacts at t = 1/2 of every kind of degeneracy: small, thin or nearly flat in shape,
// moving hardly at all or nearly alike, nearly parallel to themselves. Each of those by a power of
// two between 1 and 2^-40, or not at all.
namespace detail {

// A multiple of 2^-48 below 1: twice it less another of them is exact.
[[nodiscard]] inline double on_fine_grid(double x) noexcept {
    return std::nearbyint(x * 0x1p48) * 0x1p-48;
}
[[nodiscard]] inline Vec3 on_fine_grid(const Vec3& p) noexcept {
    return {on_fine_grid(p.x), on_fine_grid(p.y), on_fine_grid(p.z)};
}

struct Degeneracy {
    double size, thinness, speed, along, off;

    explicit Degeneracy(Dice& dice) noexcept
        : size(factor(dice)),
          thinness(factor(dice)),
          speed(factor(dice)),
          along(factor(dice)),
          off(factor(dice)) {}

    static double factor(Dice& dice) noexcept {
        const std::uint64_t roll = dice.next();
        if (roll % 3 != 0) return 1.0;
        return 1.0 / static_cast<double>(std::uint64_t{1} << (roll / 3 % 41));
    }
};

// A displacement to t = 1/2: some of it common to all vertices, some in the plane of u and v, some
// anywhere.
[[nodiscard]] inline Vec3 displacement(Dice& dice, const Degeneracy& d, const Vec3& common,
                                       const Vec3& u, const Vec3& v) noexcept {
    const double a = dice.on_grid(20);
    const double b = dice.on_grid(20);
    const Vec3 inside = d.along * (a * u + b * v);
    const Vec3 anywhere = d.off * dice.point_on_grid(20);
    return 0x1p-3 * (common + d.speed * (inside + anywhere));
}

}  // namespace detail

[[nodiscard]] inline VertexFaceMotion degenerate_face(std::uint64_t seed) noexcept {
    Dice dice(seed);
    const detail::Degeneracy d(dice);
    const Vec3 place = 0x1p-3 * dice.point_on_grid(20);
    const Vec3 u = dice.point_on_grid(20);
    const double slant = dice.on_grid(20);
    const Vec3 v = d.thinness * dice.point_on_grid(20) + slant * u;
    std::array<Vec3, 3> face = {place, place + 0x1p-3 * d.size * u, place + 0x1p-3 * d.size * v};
    for (Vec3& corner : face)  // multiples of 4: the vertex is a quarter of them
        corner = 4.0 * detail::on_fine_grid(0.25 * corner);
    const Vec3 vertex = 0.25 * face[0] + 0.25 * face[1] + 0.5 * face[2];
    const Vec3 common = dice.point_on_grid(20);
    const auto moving = [&](const Vec3& middle) {
        const Vec3 by = detail::displacement(dice, d, common, u, v);
        return detail::through(middle, detail::on_fine_grid(middle - by));
    };
    const MovingPoint first = moving(vertex);
    const MovingPoint second = moving(face[0]);
    const MovingPoint third = moving(face[1]);
    return {first, {second, third, moving(face[2])}};
}
[[nodiscard]] inline EdgeEdgeMotion degenerate_edges(std::uint64_t seed) noexcept {
    Dice dice(seed);
    const detail::Degeneracy d(dice);
    const Vec3 place = detail::on_fine_grid(0x1p-3 * dice.point_on_grid(20));
    const Vec3 u = dice.point_on_grid(20);
    const double slant = dice.on_grid(20);
    const Vec3 v = d.thinness * dice.point_on_grid(20) + slant * u;
    const Vec3 a = detail::on_fine_grid(0x1p-4 * d.size * u);
    const Vec3 b = detail::on_fine_grid(0x1p-4 * d.size * v);
    // Each is crossed at its end, in its middle, or at two thirds.
    const double at_a = static_cast<double>(dice.next() % 3);
    const double at_b = static_cast<double>(dice.next() % 3);
    const Vec3 common = dice.point_on_grid(20);
    const auto moving = [&](const Vec3& middle) {
        const Vec3 by = detail::displacement(dice, d, common, u, v);
        return detail::through(middle, detail::on_fine_grid(middle - by));
    };
    const MovingPoint first = moving(place - at_a * a);
    const MovingPoint second = moving(place + a);
    const MovingPoint third = moving(place - at_b * b);
    return {{first, second}, {third, moving(place + b)}};
}

}  // namespace graze::testing
