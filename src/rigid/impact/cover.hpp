// A few convex parts that hold every triangle of a surface, and how long the parts of two bodies stay
// separated: what is proved of them is proved of the surfaces. Derivation:
// docs/derivations/rigid_impact.md, RI-9.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graze/rigid/convex.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/rigid/motion.hpp"

namespace graze::rigid::detail {

struct BodyTree;
struct Piece;

// No point of the body within it is farther from `centre` than `radius`, in the frame of the body.
struct BoundingBall {
    Vec3 centre;
    double radius = 0.0;
};

struct CoverPart {
    ConvexShape shape;
    BoundingBall ball;
    std::vector<std::uint32_t> pieces;  // that it is the hull of; none for a box around all
};

// Every triangle of the surface is in one of the parts. Without parts nothing is known.
struct Cover {
    // Pairs of parts are tested one by one.
    static constexpr std::size_t kMostParts = 48;

    std::vector<CoverPart> parts;
    std::vector<ConvexShape> box;  // one, around all; none where there are no parts
    BoundingBall ball;
};

// Groups of pieces whose hulls add next to nothing to the body, where the surface is closed and has few
// pieces; else one box. How good the groups are is decided in plain doubles and matters to the cost of
// a search alone; that they hold all pieces is by construction.
[[nodiscard]] Cover make_cover(const Polyhedron& surface, std::span<const Piece> pieces);

// Where parts seem to meet first: estimates, in the frames of the bodies; the normal is that of the
// frame in which the motions are given, from A to B.
struct CoverMeeting {
    std::size_t part_a = 0;
    std::size_t part_b = 0;
    Vec3 on_a;
    Vec3 on_b;
    Vec3 normal;
};

// What covers prove of two bodies.
struct CoverTime {
    double free_until = 0.0;         // the surfaces are disjoint in [0, free_until)
    bool all_free = false;           // and in all of [0, t_max]
    bool is_disjoint_start = false;  // no body is inside the other at t = 0
    std::uint64_t checks = 0;
    CoverMeeting meeting;  // where not all is free
};

// Requires: valid motions that keep lengths. May throw std::bad_alloc.
[[nodiscard]] CoverTime free_by_covers(const Cover& a, const Motion& motion_a, const Cover& b,
                                       const Motion& motion_b, const ImpactOptions& options);

// The first impact where covers are enough: they stay separated, or pieces of the parts that meet first
// are proved to be in contact at once. Point and normal are in the frame of the motions. Not decided:
// the search goes on from covered.free_until.
[[nodiscard]] bool decide_by_covers(const BodyTree& a, const Motion& motion_a, const BodyTree& b,
                                    const Motion& motion_b, const ImpactOptions& options,
                                    const CoverTime& covered, ImpactResult& result) noexcept;

}  // namespace graze::rigid::detail
