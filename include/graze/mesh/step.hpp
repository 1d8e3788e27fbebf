// A whole mesh in a time step: which of its elements collide, and which first?
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "graze/core/executor.hpp"
#include "graze/core/expected.hpp"
#include "graze/core/stop.hpp"
#include "graze/mesh/candidates.hpp"
#include "graze/mesh/input.hpp"
#include "graze/mesh/topology.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/contact_point.hpp"
#include "graze/narrow/method.hpp"
#include "graze/narrow/query_bounds.hpp"

namespace graze {

class StepBackend;
namespace mesh_detail {
struct StepperAccess;
}

// Which pairs are tested at all. Pairs that share a vertex never are.
struct PairFilter {
    // By vertex, or empty. An element has the body, the layers and the mask of its first vertex.
    std::span<const std::uint32_t> body;
    // Pairs of one body; false where bodies are rigid or never fold.
    bool within_bodies = true;
    // By vertex, or empty: pairs whose vertices are all fixed are left out.
    std::span<const std::uint8_t> fixed;
    // By vertex, or empty: a pair is tested iff each side's layers meet the other's mask.
    std::span<const std::uint32_t> layers;
    std::span<const std::uint32_t> mask;
    // Any other rule: false leaves the pair out. Called from several threads at once, with the
    // floating-point arithmetic of the proofs (graze/core/fp_environment.hpp).
    std::function<bool(QueryKind kind, std::uint32_t a, std::uint32_t b)> accepts;
};

struct StepOptions {
    Method method = make_certified();
    // min_separation, norm, t_max, time_width, ... as for one query.
    CcdOptions query{};
    // [length] >= 0, by vertex, or empty: thickness on either side. Two elements touch where their
    // distance is <= min_separation + the largest radius of each.
    std::span<const double> radius{};
    PairFilter filter{};
    // Null, or pairs that were found before: no others are tested, and no tree is built. An error
    // (InvalidInput, with the index of a vertex) where the motion, its separation and its thickness
    // leave what they cover; the filter is applied as always. Kept by address.
    const Candidates* candidates = nullptr;
    // Counts which tier of `certified` decided each pair (StepWork::decided_by). Costs a little.
    bool count_tiers = false;
    // >= 0, and no more than oneTBB may use (by its global_control, the number of cores if that
    // sets no limit) are taken; 0: as many as there are cores. Results do not depend on it. Built
    // with GRAZE_THREADS=std the library starts threads of its own, with GRAZE_THREADS=off it uses the
    // calling thread alone.
    int threads = 0;
    // Or none: runs the tasks of a call, at most `threads` at a time, in place of all these. Results do
    // not depend on it either; what it throws is thrown by the call.
    Executor executor{};
    // Called now and then with the fraction that is done, from one thread at a time; false cancels.
    std::function<bool(double fraction)> progress{};
    // Tested before each pair, from any thread. What is cancelled, by this or by `progress`, is an
    // error (ErrorCode::Cancelled): nothing is claimed of a step that was not searched to its end.
    StopToken stop{};
    // Where the tolerances of the method come from, for methods that have such (`safe-cubic`,
    // `tight-inclusion`): each pair by itself, or bounds of the step, computed once. A pair that
    // leaves the bounds is answered by its own.
    BoundSource bounds = BoundSource::Query;
    // Bounds of an animation, so that tolerances do not change from step to step: each step takes
    // the hull of these and of its own. See StepBounds::grew.
    std::optional<QueryBounds> declared{};
    // By vertex, or empty: with BoundSource::Pair the edges of a pair are measured in this shape.
    std::span<const Vec3> rest{};
};

// a and b: vertex and face, edge and edge (a < b), vertex and vertex (a < b), vertex and edge:
// indices into the topology.
struct Impact {
    QueryKind kind = QueryKind::VertexFace;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    // What the method answers to this one query, with the same options. That nothing collides
    // before is claimed by FirstImpact and StepImpacts, not here.
    CcdResult result;
    friend constexpr bool operator==(const Impact&, const Impact&) noexcept = default;
};

// What it took. Counts by kind of query, in the order of kAllQueryKinds.
struct StepWork {
    std::array<std::uint64_t, 4> candidates{};  // pairs whose boxes overlap and that are tested
    // With StepOptions::count_tiers and `certified`: answers by tier, in the order of
    // kAllCertifiedTiers. (A pair may be tested more than once.)
    std::array<std::uint64_t, kAllCertifiedTiers.size()> decided_by{};
    double seconds_broad = 0.0;   // boxes and trees
    double seconds_search = 0.0;  // pairs and their queries
    // The counts alone: times differ from run to run.
    friend constexpr bool operator==(const StepWork& x, const StepWork& y) noexcept {
        return x.candidates == y.candidates && x.decided_by == y.decided_by;
    }
};

// What the tolerances of a step were made of.
struct StepBounds {
    QueryBounds bounds;
    // The step left StepOptions::declared: tolerances are larger than before, so that what was
    // separated at the end of the last step may be in contact at the start of this one. Declare
    // `bounds` from now on; who cannot have such contacts repeats the last step with them.
    bool grew = false;
    friend constexpr bool operator==(const StepBounds&, const StepBounds&) noexcept = default;
};

// The answer for the whole step, as CcdResult is that for one query.
struct StepVerdict {
    // Separated: no pair collides in [0, t_max]. Contact: one does; for methods that prove no
    // contact, "could not be excluded". Unresolved: neither, or the method proves nothing.
    Verdict verdict = Verdict::Unresolved;
    // [0, toi_lower) is free of contact for all pairs: proved by what the method declares to prove,
    // 0 where it declares nothing of the kind or its numbers are impossible; infinity: all of
    // [0, t_max].
    double toi_lower = 0.0;
    // Some pair is in contact at or before it: proved; infinity where that is not.
    double toi_upper = kInfinity;
    friend constexpr bool operator==(const StepVerdict&, const StepVerdict&) noexcept = default;
};

struct FirstImpact : StepVerdict {
    // The pair that collides first, if any does or may. Of several at the same time the first in
    // the order of kind, a, b.
    std::optional<Impact> impact;
    // Where, with which normal and features: of `impact` at its toi_lower, as contact_of() gives it.
    // Estimates in floating point; the default without an impact.
    ContactPoint contact;
    StepWork work;
    std::optional<StepBounds> bounds;  // with StepOptions::bounds
};

struct StepImpacts : StepVerdict {
    std::vector<Impact> impacts;  // in the order of kind, a, b: contacts and what is unresolved
    // Index of the impact that first_impact() gives; none where there is no impact. (Points and
    // normals of impacts: contact_of(), for those that need them.)
    std::optional<std::size_t> first;
    StepWork work;
    std::optional<StepBounds> bounds;  // with StepOptions::bounds
};

// Takes impacts in batches of some hundred, in no order, from any thread but one at a time, with the
// floating-point arithmetic of the proofs. False cancels the call; what it throws is thrown by the call.
// It may wait for parallel work of its own, or for what an earlier call of it began; with an executor
// its thread may take tasks of the search meanwhile. Other threads that have a batch wait for it, but
// not for long: they go on and keep what they find, so that a slow sink gets larger batches.
using ImpactSink = std::function<bool(std::span<const Impact>)>;

// What a sink has taken. toi_lower: the least of all impacts, so that it may be below that of
// StepImpacts, which distinguishes pairs that collide at nearly the same time.
struct StreamedImpacts : StepVerdict {
    std::uint64_t count = 0;
    StepWork work;
    std::optional<StepBounds> bounds;  // with StepOptions::bounds
};

// Two elements of a mesh that intersect or touch at one time.
struct Intersection {
    enum class Kind : std::uint8_t { EdgeFace, VertexFace, EdgeEdge, VertexVertex, VertexEdge };
    Kind kind = Kind::EdgeFace;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    friend constexpr auto operator<=>(const Intersection&, const Intersection&) noexcept = default;
};

// Distances by vertex: the least proved distance of a pair in which an element with that vertex takes
// part; the reach where all of them are farther than that.
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

    // From a mesh of as many vertices as there are positions, of loose edges (or {}) and of faces, each
    // a vector, array or span (rows, or integers of any type one after the other) or a matrix of Eigen.
    // Errors as of make_topology(); a matrix or list of another shape (WrongSize).
    [[nodiscard]] static Expected<MeshStepper> create(const Positions& positions,
                                                      const IndexRows<2>& loose_edges,
                                                      const IndexRows<3>& faces);
    [[nodiscard]] static Expected<MeshStepper> create(std::size_t vertex_count,
                                                      const IndexRows<2>& loose_edges,
                                                      const IndexRows<3>& faces);

    [[nodiscard]] const MeshTopology& topology() const noexcept;
    // Another mesh: faces, edges or vertices come and go. Answers are those of a new stepper. Kept is
    // memory alone: edges are numbered anew, trees are built anew, candidates of before are refused.
    void set_topology(MeshTopology topology);
    // The same; after an error the topology is that of before.
    [[nodiscard]] Expected<void> set_topology(std::size_t vertex_count,
                                              const IndexRows<2>& loose_edges,
                                              const IndexRows<3>& faces);

    // From now on impacts and intersections are found there, as far as it supports the options of a
    // call, and so are those that safe steps, line searches, fractions and active sets ask this stepper
    // for (graze/mesh/backend.hpp). Null: here again.
    void set_backend(std::unique_ptr<StepBackend> backend);

    // All positions move along straight lines from `start` to `end`.
    // Guarantee: the pair with the earliest contact of all pairs that the filter admits, by what
    // the method proves; same bits for any number of threads.
    // Errors: not as many positions, radii or filter values as vertices (WrongSize); a position that
    // is not finite (NotFinite, with the index of the vertex); options that are invalid (InvalidOption,
    // the message names the option and its value) or that the method does not honour (Unsupported);
    // Cancelled. The floating-point settings of the calling thread do not matter.
    [[nodiscard]] Expected<FirstImpact> first_impact(const Positions& start, const Positions& end,
                                                     const StepOptions& options = {});
    // Every pair that collides, and which of them is first. Errors as of first_impact().
    [[nodiscard]] Expected<StepImpacts> all_impacts(const Positions& start, const Positions& end,
                                                    const StepOptions& options = {});
    // The same impacts to a sink, each once, while they are found: what is kept of them does not grow
    // with their number. Nothing is dropped: where the sink does not take a batch, the call is
    // Cancelled and claims nothing. Errors as of first_impact().
    [[nodiscard]] Expected<StreamedImpacts> stream_impacts(const Positions& start,
                                                           const Positions& end,
                                                           const ImpactSink& sink,
                                                           const StepOptions& options = {});

    // Every pair that can come within min_separation + `inflation` [length >= 0] of each other in the
    // step, thickness (options.radius) included; before the filter. For StepOptions::candidates of
    // later calls: they cover every motion in which each vertex stays in the k-DOP around its path
    // here, enlarged by half of all that. So they do shorter steps on the same line; other motions
    // as far as the inflation allows, clearance() up to a reach of the inflation.
    // Of the options radius, min_separation, threads and progress count. Errors as of first_impact().
    [[nodiscard]] Expected<Candidates> candidates(const Positions& start, const Positions& end,
                                                  double inflation = 0.0,
                                                  const StepOptions& options = {});
    // candidates() of another line into those of the line before: the same value, to the bit, as that
    // call gives, in the memory that is there and by trees that are fitted, not sorted anew. For lines
    // that follow each other. After an error the candidates are those of before.
    [[nodiscard]] Expected<void> refit(Candidates& candidates, const Positions& start,
                                       const Positions& end, double inflation = 0.0,
                                       const StepOptions& options = {});

    // What intersects or touches at these positions, in the order of kind, a, b: most often the
    // reason why a simulation cannot start. Edges against faces, edges against edges, vertices
    // without an edge against everything; exact. Pairs that share a vertex are not tested, nor are
    // those that the filter leaves out. Of the options filter, threads and progress count.
    // (For the filter's `accepts` an edge against a face counts as either of its ends against it.)
    [[nodiscard]] Expected<std::vector<Intersection>> intersections(
        const Positions& positions, const StepOptions& options = {});

    // Proved lower bounds of distances at these positions, up to `reach` > 0; in
    // options.query.norm. Of the options norm, filter, threads and progress count.
    [[nodiscard]] Expected<Clearance> clearance(const Positions& positions, double reach,
                                                const StepOptions& options = {});

private:
    class State;
    friend struct mesh_detail::StepperAccess;
    std::unique_ptr<State> state_;
};

}  // namespace graze
