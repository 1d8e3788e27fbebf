// Queries of our own making: every family of ordinary, near and degenerate motion, from a seed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "graze/io/query_file.hpp"

namespace graze::generate {

enum class Family : std::uint8_t {
    Ordinary,       // coordinates of full precision; about half of vf and ee touch
    Boundary,       // exact contact on a vertex, an edge or inside, at t = 0, at t = 1 or between
    Near,           // such a contact, with one coordinate moved by a few ulps
    SmallIntegers,  // coordinates in -2..2: coincidences of every kind
    Flat,           // everything stays in one plane: the coplanarity cubic vanishes identically
    MultipleRoots,  // the coplanarity cubic has a double or a triple root, or two equal to an end
    ZeroArea,       // triangles without area, edges without length
    Parallel,       // parallel and collinear edges; motion parallel to the face
    Static,         // nothing moves, or everything moves alike
    Coincident,     // common vertices, identical primitives
    Wild,           // axes of very different size, subnormals, exponents over the whole range
    PointPoint,     // two vertices meet and nothing else does, head on or in passing; or just not
    TwoRoots,       // the coplanarity cubic has two simple roots in the step; contact at 2, 1 or 0
    ThreeRoots,     // three simple roots in the step
    FewUlps,        // full precision: rounding alone decides, at a border or at an end of the step
    Coplanar,       // everything stays in one plane, which tilts and travels
    Hourglass,      // two vertices exchange positions, and the primitive collapses between
    Appendix,       // three published examples that make methods fail, and exact variations of them
};

// In the order of the enumeration. New families come last: a query follows from the number of its
// family, and stored queries must stay what they are.
inline constexpr std::array<Family, 18> kAllFamilies = {
    Family::Ordinary,  Family::Boundary,      Family::Near,     Family::SmallIntegers,
    Family::Flat,      Family::MultipleRoots, Family::ZeroArea, Family::Parallel,
    Family::Static,    Family::Coincident,    Family::Wild,     Family::PointPoint,
    Family::TwoRoots,  Family::ThreeRoots,    Family::FewUlps,  Family::Coplanar,
    Family::Hourglass, Family::Appendix};

// "ordinary", "small-integers", ...
[[nodiscard]] std::string_view name(Family family) noexcept;
[[nodiscard]] std::optional<Family> family_from_name(std::string_view name) noexcept;

// The query of this number in the family: the same bits on every machine. All coordinates finite.
[[nodiscard]] io::QueryRecord query(Family family, QueryKind kind, std::uint64_t seed) noexcept;

}  // namespace graze::generate
