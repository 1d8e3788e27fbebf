// MeshStepper::clearance(): proved lower bounds of distances, by vertex (MESH-5, MESH-7 in
// docs/derivations/mesh.md). A pair is never nearer than the bound of any of its vertices. The same
// distances by pair are what a line search begins with (MESH-14).
#include <algorithm>
#include <array>
#include <tuple>

#include "graze/narrow/distance.hpp"
#include "mesh/candidate_pairs.hpp"
#include "mesh/near_pairs.hpp"
#include "mesh/pair_search.hpp"
#include "mesh/reach_rule.hpp"
#include "mesh/step_check.hpp"
#include "mesh/stepper_state.hpp"
#include "mesh/with_positions.hpp"

namespace graze {
using namespace mesh_detail;
namespace {

// Does the rule leave the pair out?
template <class Motion>
bool is_dropped(const ReachRule& rule, const StepQuery& step,
                const PairVertices<Motion>& pair) noexcept {
    std::array<Vec3, 4> at;
    std::size_t count = 0;
    for (const std::uint32_t vertex : pair.a)
        at[count++] = step.vertices[vertex].start;
    for (const std::uint32_t vertex : pair.b)
        at[count++] = step.vertices[vertex].start;
    constexpr int kFirst = std::tuple_size_v<decltype(pair.a)>;
    return rule.drops<kFirst, kFirst + int{std::tuple_size_v<decltype(pair.b)>}>(at.data());
}

// A lower bound of the distance of a pair, or the reach where that is not below it: boxes let pairs
// through that are farther.
template <class Motion>
double distance_within(const ReachRule& rule, const StepQuery& step,
                       const PairVertices<Motion>& pair) noexcept {
    const double distance = distance_lower(motion_of(step, pair), step.options.query.norm);
    return distance < rule.reach && !is_dropped(rule, step, pair) ? distance : rule.reach;
}

// The least distance by vertex. Minima do not depend on the order in which pairs are seen.
class Distances {
public:
    class Local {
    public:
        Local(std::size_t vertex_count, const ReachRule& rule) : rule_(rule), least(rule.reach) {
            by_vertex.resize(vertex_count, rule.reach);
        }

        template <class Motion>
        void see(const StepQuery& step, const PairVertices<Motion>& vertices, std::uint32_t,
                 std::uint32_t) {
            const double distance = distance_within(rule_, step, vertices);
            if (!(distance < rule_.reach)) return;
            // c_i of MESH-7: the least over all pairs in which vertex i takes part.
            for (const std::uint32_t vertex : vertices.a)
                by_vertex[vertex] = std::min(by_vertex[vertex], distance);
            for (const std::uint32_t vertex : vertices.b)
                by_vertex[vertex] = std::min(by_vertex[vertex], distance);
            least = std::min(least, distance);
        }

    private:
        ReachRule rule_;

    public:
        double least;
        std::vector<double> by_vertex;
    };

    Distances(std::size_t vertex_count, const ReachRule& rule)
        : reach_(rule.reach),
          vertex_count_(vertex_count),
          locals_([vertex_count, rule] { return Local(vertex_count, rule); }) {}
    [[nodiscard]] Local& local() { return locals_.local(); }

    void collect(Clearance& result) const {
        result.least = reach_;
        result.by_vertex.assign(vertex_count_, reach_);
        for (const Local& local : locals_) {
            result.least = std::min(result.least, local.least);
            for (std::size_t i = 0; i < vertex_count_; ++i)
                result.by_vertex[i] = std::min(result.by_vertex[i], local.by_vertex[i]);
        }
    }

private:
    double reach_;
    std::size_t vertex_count_;
    PerThread<Local> locals_;
};

// The same distances by pair.
class Nearest {
public:
    class Local {
    public:
        Local(const ReachRule& rule, std::size_t most) : rule_(rule), most_(most) {}

        template <class Motion>
        void see(const StepQuery& step, const PairVertices<Motion>& vertices, std::uint32_t a,
                 std::uint32_t b) {
            const double distance = distance_within(rule_, step, vertices);
            if (!(distance < rule_.reach)) return;
            const NearPair pair{distance, Motion::kKind, a, b};
            if (pairs.empty() || is_nearer(pair, nearest)) nearest = pair;
            if (pairs.size() < most_) {
                pairs.push_back(pair);
            } else {
                has_all = false;
            }
        }

    private:
        ReachRule rule_;
        std::size_t most_;

    public:
        NearPair nearest;
        std::vector<NearPair> pairs;
        bool has_all = true;
    };

    // No more than some for each element: as much memory as trees have.
    Nearest(const MeshTopology& mesh, const ReachRule& rule)
        : reach_(rule.reach), locals_([rule, most = most_of(mesh)] { return Local(rule, most); }) {}
    [[nodiscard]] Local& local() { return locals_.local(); }

    void collect(NearPairs& result) const {
        result.reach = result.least = reach_;
        result.has_all = true;
        NearPair nearest{reach_};
        for (const Local& local : locals_) {
            if (!local.pairs.empty() && is_nearer(local.nearest, nearest)) nearest = local.nearest;
            result.has_all = result.has_all && local.has_all;
        }
        result.least = nearest.distance;
        if (!result.has_all) {
            result.pairs = {nearest};
            return;
        }
        for (const Local& local : locals_)
            result.pairs.insert(result.pairs.end(), local.pairs.begin(), local.pairs.end());
        const std::size_t count = std::min(result.pairs.size(), kNearestPairs);
        std::partial_sort(result.pairs.begin(),
                          result.pairs.begin() + static_cast<std::ptrdiff_t>(count),
                          result.pairs.end(), is_nearer);
    }

private:
    static std::size_t most_of(const MeshTopology& mesh) noexcept {
        return 4096 + 4 * mesh.edges.size() + mesh.points.size();
    }

    double reach_;
    PerThread<Local> locals_;
};

// Boxes that are larger by half the reach each, and a little. By MESH-1 two that do not meet have a
// distance above the reach: what was not asked cannot lower a bound.
Expected<Clearance> find_clearance(const StepQuery& step, const ReachRule& rule, double margin,
                                   StepBoxes& boxes, Trees trees) {
    Clearance result;
    if (step.options.candidates == nullptr)
        boxes.set(trees, step.mesh, step.vertices, 0.0, {}, margin);
    Distances distances(step.mesh.vertex_count, rule);
    if (!ask_pairs(step, boxes, distances, result.work))
        return Error{"cancelled", ErrorCode::Cancelled};
    distances.collect(result);
    return result;
}

Expected<NearPairs> find_near_pairs(const StepQuery& step, const ReachRule& rule, double margin,
                                    StepBoxes& boxes, Trees trees) {
    NearPairs result;
    if (step.options.candidates == nullptr)
        boxes.set(trees, step.mesh, step.vertices, 0.0, {}, margin);
    Nearest distances(step.mesh, rule);
    StepWork work;
    if (!ask_pairs(step, boxes, distances, work)) return Error{"cancelled", ErrorCode::Cancelled};
    distances.collect(result);
    return result;
}

// Is it possible to measure so far?
Expected<void> check_measure(const MeshTopology& mesh, std::span<const Vec3> positions,
                             double reach, const StepOptions& options) {
    if (auto good = check_positions(positions, mesh.vertex_count, "positions"); !good) return good;
    if (auto good = check_options(mesh, options); !good) return good;
    if (!(reach > 0.0) || !is_finite(reach))
        return Error{"reach must be finite and > 0", ErrorCode::InvalidOption};
    return {};
}

// find(step, rule, margin, boxes, trees) on the threads of the options.
template <class Find>
auto measure(const StepQuery& step, std::uint64_t id, double reach, double largest,
             StepBoxes& boxes, Trees trees, const Find& find) {
    const double margin = margin_for_reach(reach, largest);
    const ReachRule rule{reach, largest <= kMaxForDiagonals};
    using Found = decltype(find(step, rule, margin, boxes, trees));
    return in_arena(step.options, [&]() -> Found {
        const Expected<void> covered = check_cover(step, id, margin);
        if (!covered) return covered.error();
        return find(step, rule, margin, boxes, trees);
    });
}

}  // namespace

Expected<Clearance> MeshStepper::clearance(const Positions& positions, double reach,
                                           const StepOptions& options) {
    const auto find = [&](std::span<const Vec3> at) {
        return state_->clearance(at, reach, options, Trees::Build);
    };
    return with_positions(find, positions);
}

Expected<Clearance> MeshStepper::State::clearance(std::span<const Vec3> positions, double reach,
                                                  const StepOptions& options, Trees trees) {
    return with_sound_arithmetic([&]() -> Expected<Clearance> {
        if (const auto good = check_measure(topology, positions, reach, options); !good)
            return good.error();
        const double largest = largest_coordinate(positions);
        // Its boxes have diagonals, and it cannot ask a function of the caller's.
        if (StepBackend* const other = backend_for(options);
            other != nullptr && largest <= kMaxForDiagonals && !options.filter.accepts)
            return other->clearance(positions, reach, options);
        const StepQuery step{topology, set_vertices(positions, positions), options};
        return measure(step, id, reach, largest, boxes, trees, find_clearance);
    });
}

Expected<NearPairs> MeshStepper::State::near_pairs(std::span<const Vec3> positions, double reach,
                                                   const StepOptions& options, Trees trees) {
    return with_sound_arithmetic([&]() -> Expected<NearPairs> {
        if (const auto good = check_measure(topology, positions, reach, options); !good)
            return good.error();
        const StepQuery step{topology, set_vertices(positions, positions), options};
        return measure(step, id, reach, largest_coordinate(positions), boxes, trees,
                       find_near_pairs);
    });
}

}  // namespace graze
