// Whole scenes of our own making: meshes that move in steps, and the queries between their primitives.
//
// Positions come from + - * / sqrt of IEEE 754 and from integers, so that they are the same bits on
// every machine (the targets of graze never fuse operations). docs/data.md describes each scene.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "graze/io/query_file.hpp"

namespace graze::generate {

enum class SceneId : std::uint8_t {
    // Two rigid bodies approach until they are past contact.
    CliffEdges,     // a cube on a block of the same width: edges on edges, faces in one plane
    InternalEdges,  // a cube on a floor whose inner edges pass under it
    Spikes,         // tip on tip
    Wedges,         // ridge on ridge
    SpikeWedge,     // tip on ridge
    SlidingSpike,   // a tip drawn over a large floor
    SlidingWedge,   // a ridge drawn over a large floor
    SpikeCrack,     // a tip drawn through a groove
    WedgeCrack,     // a ridge drawn through a groove
    SpikeHole,      // a tip in a hole of pyramid shape
    // Meshes that move, bend and pass through each other.
    FoldingSheet,     // one half of a sheet is thrown over the other
    CollidingSheets,  // two wavy sheets
    SheetOnBall,      // a sheet falls on a ball
    TumblingBodies,   // small polyhedra that rotate and fall
    TwistingMat,      // a mat whose ends are turned against each other
    FastBall,         // a spinning ball, several radii a step, and a wall
};

inline constexpr std::array<SceneId, 16> kAllScenes = {
    SceneId::CliffEdges,  SceneId::InternalEdges,  SceneId::Spikes,       SceneId::Wedges,
    SceneId::SpikeWedge,  SceneId::SlidingSpike,   SceneId::SlidingWedge, SceneId::SpikeCrack,
    SceneId::WedgeCrack,  SceneId::SpikeHole,      SceneId::FoldingSheet, SceneId::CollidingSheets,
    SceneId::SheetOnBall, SceneId::TumblingBodies, SceneId::TwistingMat,  SceneId::FastBall};

// "cliff-edges", "spikes", ...
[[nodiscard]] std::string_view name(SceneId id) noexcept;
[[nodiscard]] std::optional<SceneId> scene_from_name(std::string_view name) noexcept;
// "contact" for the rigid pairs, "motion" for the meshes.
[[nodiscard]] std::string_view group_of(SceneId id) noexcept;

// The kinds of query that scenes are made for.
inline constexpr std::array<QueryKind, 2> kSceneKinds = {QueryKind::VertexFace,
                                                         QueryKind::EdgeEdge};

struct QuerySceneOptions {
    std::uint64_t seed = 0;
    // About how many queries of a kind are requested. Decides how many variants a contact scene has
    // and how fine the meshes of a moving one are; both are bounded.
    std::uint64_t queries = 1000;
};

// One straight step of every vertex.
struct SceneStep {
    std::vector<Vec3> start;
    std::vector<Vec3> end;  // as many as start
};

struct QueryScene {
    std::vector<std::array<std::uint32_t, 3>> faces;
    std::vector<std::array<std::uint32_t, 2>> edges;  // as box_edges() gives them
    std::vector<std::uint32_t> body;                  // of each vertex
    std::vector<std::uint8_t> bends;                  // of each body: whether it can meet itself
    std::vector<SceneStep> steps;
};

// Guarantee: finite; the same bits for the same options on every machine.
// Cost: up to about a second.
[[nodiscard]] QueryScene make_scene(SceneId id, const QuerySceneOptions& options);

// Vertex and face, or two edges with first < second: indices into the lists of a scene.
struct ScenePair {
    std::uint32_t step = 0;
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    friend constexpr auto operator<=>(const ScenePair&, const ScenePair&) noexcept = default;
};

// All pairs of a step in reach, in ascending order: their swept boxes (closed, around all vertices
// at both ends) overlap, they share no vertex, and they do not belong to one rigid body.
// Requires: kind is in kSceneKinds, step < scene.steps.size(). Cost: a sort and a sweep.
[[nodiscard]] std::vector<ScenePair> pairs_in_reach(const QueryScene& scene, QueryKind kind,
                                                    std::uint32_t step);

// Requires: a pair of pairs_in_reach() for this scene and kind.
[[nodiscard]] io::QueryRecord query_of(const QueryScene& scene, QueryKind kind,
                                       const ScenePair& pair);

// False if one of seven directions (the axes; between the centres and across the primitives, at
// either end) keeps the primitives separated throughout by more than 1/32 of the size of the query.
// A sorting of candidates, not a proof; but what is not near does not touch.
// Requires: finite; kind is in kSceneKinds.
[[nodiscard]] bool is_near(const io::QueryRecord& record, QueryKind kind) noexcept;

// `wanted` of `total` indices, evenly spread, ascending; all of them if there are not so many.
[[nodiscard]] std::vector<std::size_t> evenly_spread(std::size_t wanted, std::size_t total);

enum class PairClass : std::uint8_t { Far, Near, Touching };

// Which of the candidates make a set of `wanted` queries, ascending. Each class is thinned evenly:
//   touching: all, but no more than an eighth of `wanted`;
//   near:     all, as far as three quarters of `wanted` are left beside the touching ones;
//   far:      the rest.
// Where one class has too few, near ones fill the gap, then far ones, then touching ones.
[[nodiscard]] std::vector<std::size_t> thinned(std::span<const PairClass> candidates,
                                               std::size_t wanted);

}  // namespace graze::generate
