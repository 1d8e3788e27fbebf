// A whole mesh in a step: which of its parts touch, and when first?
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/stop.hpp"
#include "graze/mesh/topology.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/method.hpp"

namespace graze {

// Which pairs are asked about at all. Pairs that share a vertex never are.
struct PairFilter {
    // By vertex, or empty. An element has the body, the layers and the mask of its first vertex.
    std::span<const std::uint32_t> body;
    // Pairs of one body; false where bodies are rigid or never fold.
    bool within_bodies = true;
    // By vertex, or empty: pairs whose vertices are all fixed are left out.
    std::span<const std::uint8_t> fixed;
    // By vertex, or empty: a pair is asked about iff each side's layers meet the other's mask.
    std::span<const std::uint32_t> layers;
    std::span<const std::uint32_t> mask;
    // Whatever else: false leaves the pair out. Called from several threads at once, with the
    // floating-point arithmetic of the proofs (graze/core/fp_environment.hpp).
    std::function<bool(QueryKind kind, std::uint32_t a, std::uint32_t b)> accepts;
};

struct StepOptions {
    Method method = make_certified();
    // min_separation, norm, t_max, time_width, ... as for one query.
    CcdOptions query;
    // [length] >= 0, by vertex, or empty: how thick the mesh is there. Two elements touch where
    // their distance is <= min_separation + the largest radius of each.
    std::span<const double> radius;
    PairFilter filter;
    // Counts by whom of `certified` pairs were decided (StepWork::decided_by). Costs a little.
    bool count_parts = false;
    // >= 0, and no more than oneTBB may use (by its global_control, the number of cores if that
    // says nothing) are taken; 0: as many as there are cores. Results do not depend on it.
    int threads = 0;
    // Called now and then with the share that is done, from one thread at a time; false cancels.
    std::function<bool(double share)> progress;
    // Asked before each pair, from any thread. What is cancelled, by this or by `progress`, is the
    // error "cancelled": nothing is claimed of a step that was not looked at to its end.
    StopToken stop{};
};

// a and b: vertex and face, edge and edge (a < b), vertex and vertex (a < b), vertex and edge:
// indices into the topology.
struct Impact {
    QueryKind kind = QueryKind::VertexFace;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    CcdResult result;  // as of one query with the same options
    friend constexpr bool operator==(const Impact&, const Impact&) noexcept = default;
};

// What it took. Counts by kind of query, in the order of kAllQueryKinds.
struct StepWork {
    std::array<std::uint64_t, 4>
        candidates{};  // pairs whose boxes overlap and that are asked about
    // With StepOptions::count_parts and `certified`: answers by part, in the order of
    // kAllCertifiedTiers. (A pair may be asked more than once.)
    std::array<std::uint64_t, kAllCertifiedTiers.size()> decided_by{};
    double seconds_broad = 0.0;   // boxes and trees
    double seconds_search = 0.0;  // pairs and their queries
    friend constexpr bool operator==(const StepWork&, const StepWork&) noexcept = default;
};

struct FirstImpact {
    // [0, toi_lower) is free: proved by what the method declares to prove, 0 where it declares
    // nothing of the kind or its numbers are impossible; infinity: all of [0, t_max].
    double toi_lower = 0.0;
    // The pair that touches first, if any does or may. Of several at the same time the first in the
    // order of kind, a, b.
    std::optional<Impact> impact;
    StepWork work;
};

struct AllImpacts {
    std::vector<Impact> impacts;  // in the order of kind, a, b: contacts and what is unresolved
    StepWork work;
};

// Two parts of a mesh that intersect or touch at one time.
struct Intersection {
    enum class Kind : std::uint8_t { EdgeFace, VertexFace, EdgeEdge, VertexVertex, VertexEdge };
    Kind kind = Kind::EdgeFace;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    friend constexpr auto operator<=>(const Intersection&, const Intersection&) noexcept = default;
};

// How far parts are from all others, by vertex: the least proved distance of a pair in which an
// element with that vertex takes part; the reach where all of them are farther than that.
struct Clearance {
    std::vector<double> by_vertex;
    double least = kInfinity;  // of all; the reach where no pair is within it
    StepWork work;
};

// Keeps trees and buffers from step to step. One step at a time; several objects in parallel.
class MeshStepper {
public:
    explicit MeshStepper(MeshTopology topology);
    MeshStepper(MeshStepper&&) noexcept;
    MeshStepper& operator=(MeshStepper&&) noexcept;
    ~MeshStepper();

    [[nodiscard]] const MeshTopology& topology() const noexcept;

    // All positions move along straight lines from `start` to `end`.
    // Guarantee: the pair with the earliest contact of all pairs that the filter admits, by what
    // the method proves; same bits for any number of threads.
    // Errors: not as many positions as vertices, a position that is not finite, options that are
    // invalid (the message names the option and its value) or that the method does not honour, a
    // filter of the wrong size, cancelled. The floating-point settings of the calling thread do not
    // matter.
    [[nodiscard]] Expected<FirstImpact> first_impact(std::span<const Vec3> start,
                                                     std::span<const Vec3> end,
                                                     const StepOptions& options = {});
    // What first_impact() says, without another search: `impacts` are those of all_impacts() for the
    // same step and options. Costs a query for each of those that may be the first.
    [[nodiscard]] Expected<FirstImpact> first_of(std::span<const Impact> impacts,
                                                 std::span<const Vec3> start,
                                                 std::span<const Vec3> end,
                                                 const StepOptions& options = {});
    // Every pair that touches.
    [[nodiscard]] Expected<AllImpacts> all_impacts(std::span<const Vec3> start,
                                                   std::span<const Vec3> end,
                                                   const StepOptions& options = {});

    // What intersects or touches at these positions, in the order of kind, a, b: most often the
    // reason why a simulation cannot start. Edges against faces, edges against edges, vertices
    // without an edge against everything; exact. Pairs that share a vertex are not looked at, nor
    // are those that the filter leaves out. Of the options filter, threads and progress count.
    // (For the filter's `accepts` an edge against a face counts as either of its ends against it.)
    [[nodiscard]] Expected<std::vector<Intersection>> intersections(
        std::span<const Vec3> positions, const StepOptions& options = {});

    // Proved lower bounds of distances at these positions, up to `reach` > 0; in
    // options.query.norm. Of the options norm, filter, threads and progress count.
    [[nodiscard]] Expected<Clearance> clearance(std::span<const Vec3> positions, double reach,
                                                const StepOptions& options = {});

private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace graze
