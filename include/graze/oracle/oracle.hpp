// The exact ground truth: what is true of a query, computed with integers of any size.
//
// Shares no code with the methods that it verifies: it takes plain arrays of doubles, and stands on
// GMP and the standard library alone. Slow (tens of microseconds to milliseconds an ordinary query;
// seconds where subnormals meet the largest doubles) and trusted: every sign is exact, every zero is
// proved. Memory is bounded; docs/derivations/oracle.md says by what.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace graze::oracle {

enum class Kind : std::uint8_t { VertexFace, EdgeEdge, VertexVertex, VertexEdge };

// start[c][k], end[c][k]: coordinate k of corner c at t = 0 and t = 1; corners in the order
// v f0 f1 f2 | a0 a1 b0 b1 | p q | v e0 e1, unused corners ignored.
struct Query {
    Kind kind = Kind::VertexFace;
    std::array<std::array<double, 3>, 4> start{};
    std::array<std::array<double, 3>, 4> end{};
};

enum class Norm : std::uint8_t { Euclidean, Max };

enum class State : std::uint8_t {
    Separated,  // no contact for any t in [0, 1]
    Contact,    // contact, first at a time in [toi_lower, toi_upper]
    Invalid,    // a coordinate or the separation is not finite, or the separation is negative
};

// toi_lower and toi_upper are neighbouring doubles around the exact first time, or equal where that
// time is itself a double. Separated: both infinite.
struct Truth {
    State state = State::Invalid;
    double toi_lower = 0.0;
    double toi_upper = std::numeric_limits<double>::infinity();
    friend constexpr bool operator==(const Truth&, const Truth&) noexcept = default;
};

// Do the primitives touch in the closed step, and when first?
// Guarantee: exact for every finite input, all degenerate strata included
// (docs/derivations/oracle.md).
[[nodiscard]] Truth first_contact(const Query& query);

// The same answer found in another way: every sign change of every polynomial of the native
// formulation cuts [0, 1] into cells, and the cells are visited from the left. Slower; exists to
// check first_contact, with which it shares conversion to integers and arithmetic of polynomials.
[[nodiscard]] Truth first_contact_by_decomposition(const Query& query);

// When is the distance, in the given norm, first <= separation? Exact in both norms; for
// separation = 0 the answer is that of first_contact.
[[nodiscard]] Truth first_within(const Query& query, double separation, Norm norm);

// Neighbouring doubles around the smallest distance over the whole step: lower < distance <= upper,
// or both zero. Where even the largest double is too small, upper is infinite.
struct DistanceBracket {
    bool valid = false;  // false iff a coordinate is not finite
    double lower = 0.0;
    double upper = 0.0;
};
[[nodiscard]] DistanceBracket minimum_distance(const Query& query, Norm norm);

// The query restricted to [begin, end] (0 <= begin < end <= 1, both doubles), decided exactly though
// its end positions need not be doubles. Times are fractions of the shortened step.
[[nodiscard]] Truth first_contact_in(const Query& query, double begin, double end);

}  // namespace graze::oracle
