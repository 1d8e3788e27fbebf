// The families of generate.hpp that are built around one known difficulty, one function each; and
// what is common to all families.
#pragma once

#include <bit>
#include <cstdint>

#include "generate/grid_contact.hpp"
#include "graze/io/query_file.hpp"

namespace graze::generate {

[[nodiscard]] inline int random_exponent(Random& random) noexcept {
    return static_cast<int>(random.integer(-30, 10));
}

[[nodiscard]] inline Vec3 random_vector(Random& random) noexcept {
    const double x = random.uniform();
    const double y = random.uniform();
    return {x, y, random.uniform()};
}

// The double so many ulps up or down; zero goes to the smallest subnormals of either sign.
[[nodiscard]] double moved_by_ulps(double value, int steps) noexcept;

// A shear x += a y, y += b z, z += c x with small integers, on two motions of three: hides
// axis-aligned structure, keeps the truth (contact is invariant under linear maps).
void shear_all(GridMotion& motion, Random& random) noexcept;

[[nodiscard]] io::QueryRecord point_point(QueryKind kind, Random& random) noexcept;
[[nodiscard]] io::QueryRecord two_roots(QueryKind kind, Random& random) noexcept;
[[nodiscard]] io::QueryRecord three_roots(QueryKind kind, Random& random) noexcept;
[[nodiscard]] io::QueryRecord few_ulps(QueryKind kind, Random& random) noexcept;
[[nodiscard]] io::QueryRecord coplanar(QueryKind kind, Random& random) noexcept;
[[nodiscard]] io::QueryRecord hourglass(QueryKind kind, Random& random) noexcept;
[[nodiscard]] io::QueryRecord appendix(QueryKind kind, Random& random) noexcept;

}  // namespace graze::generate
