// Bounds that hold for all queries of a step, or of an animation: what the tolerances of `safe-cubic`
// and the filters of `tight-inclusion` can be made of, if not of each query alone.
//
//   BoundsOfQueries all;
//   for (const VertexFaceMotion& motion : motions) all.add(motion);
//   const QueryBounds bounds = all.bounds();             // outlives the method
//   const Method method = with_bounds(make_safe_cubic(), bounds);
//
// Answers then do not depend on how large the single primitives are, nor, with bounds that are declared
// for an animation, on the step. A query that leaves the bounds is answered by its own: declaring too
// little costs no contact.
#pragma once

#include <cstdint>
#include <optional>

#include "graze/narrow/method.hpp"

namespace graze {

// A box that holds every vertex of every motion of a scene, at both ends of the step.
struct SceneBounds {
    Vec3 lower;
    Vec3 upper;
    friend constexpr bool operator==(const SceneBounds&, const SceneBounds&) noexcept = default;
};

// Whose lengths bounds are made of.
enum class BoundSource : std::uint8_t {
    Query,  // each query by itself
    Pair,   // the edges of the pair, the displacements of the scene (Wang 2014, section 5)
    Scene,  // all edges and displacements (Wang 2014, section 4.1; Wang et al. 2021, section 7)
};

// All in the max-norm, at both ends of every step, rounded up. [length]
struct QueryBounds {
    // Of the filters of `tight-inclusion`; nothing: each query has its own.
    std::optional<SceneBounds> box;
    // No edge of a primitive is longer.
    double longest_edge = 0.0;
    // No two vertices are displaced by vectors that differ by more.
    double relative_displacement = 0.0;
    // B of `safe-cubic` is at least this, whatever it is made of.
    double declared_length = 0.0;
    // The edges of each pair in the place of `longest_edge` and `box`.
    bool per_pair = false;
    friend constexpr bool operator==(const QueryBounds&, const QueryBounds&) noexcept = default;
};

// The least bounds that hold where either of two does; per pair where the first one is.
[[nodiscard]] QueryBounds hull(const QueryBounds& a, const QueryBounds& b) noexcept;

// No edge of the primitives is longer, at either end of the step; rounded up. Infinity where
// differences overflow.
template <QueryMotion Motion>
[[nodiscard]] double longest_edge_upper(const Motion& motion) noexcept;

// Collects bounds.
// Guarantee: whatever is added is within bounds(), in exact arithmetic; infinite where differences
//            overflow, or where the arithmetic of the proofs cannot be set.
// Requires:  finite coordinates.
class BoundsOfQueries {
public:
    void add(const MovingPoint& vertex) noexcept;
    void add_edge(const MovingPoint& a, const MovingPoint& b) noexcept;
    // The vertices of a motion and the edges of both primitives.
    template <QueryMotion Motion>
    void add(const Motion& motion) noexcept;
    [[nodiscard]] double longest_edge() const noexcept { return longest_edge_; }
    [[nodiscard]] QueryBounds bounds(BoundSource source = BoundSource::Scene) const noexcept;

private:
    bool is_empty_ = true;
    SceneBounds positions_;
    SceneBounds displacements_;  // rounded outwards
    double longest_edge_ = 0.0;
};

// The method with these bounds, which outlive every copy of it; the method itself where it has nothing to
// make of them (Method::bounded).
[[nodiscard]] Method with_bounds(const Method& method, const QueryBounds& bounds) noexcept;

}  // namespace graze
