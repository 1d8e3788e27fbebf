#include "graze/mesh/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "graze/core/rounding.hpp"
#include "mesh/candidate_pairs.hpp"
#include "mesh/element_thickness.hpp"
#include "mesh/reach_rule.hpp"
#include "mesh/step_check.hpp"
#include "mesh/stepper_state.hpp"
#include "mesh/with_positions.hpp"

namespace graze {

std::uint64_t Candidates::size() const noexcept {
    std::uint64_t sum = 0;
    for (const std::vector<IndexPair>& pairs : pairs_)
        sum += pairs.size();
    return sum;
}

using namespace mesh_detail;
namespace {

// The k-DOP of one vertex over the step, enlarged by its thickness and the margin.
class VertexCover {
public:
    VertexCover(const StepQuery& step, const Grid& grid, double margin)
        : step_(step),
          grid_(grid),
          margin_(margin),
          thickness_(element_thickness(step.mesh, step.options.radius)) {}

    // By `more` beside.
    [[nodiscard]] GridBox operator()(std::size_t vertex, double more = 0.0) const noexcept {
        const double thickness = thickness_.empty() ? more : add_up(more, thickness_[vertex]);
        const MovingPoint& moving = step_.vertices[vertex];
        return grid_.around(moving.start, moving.end, step_.options.query.t_max,
                            add_up(margin_, thickness));
    }

private:
    const StepQuery& step_;
    const Grid& grid_;
    double margin_;
    std::vector<double> thickness_;
};

// What positions_between() rounds: on each axis at most three times, u of the larger coordinate of
// the two each, and what boxes of a time before the end are widened by for products that underflow,
// 2^-1070. So much more is covered, and with it every shorter step on the same line.
double rounding_between(const MovingPoint& moving) noexcept {
    double largest = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        largest = std::max({largest, std::fabs(moving.start[axis]), std::fabs(moving.end[axis])});
    }
    return 0x1p-50 * largest + 0x1p-1068;
}

bool is_inside(const GridBox& inner, const GridBox& outer) noexcept {
    bool result = true;
    for (std::size_t axis = 0; axis < kGridAxes; ++axis)
        result &= outer.lower[axis] <= inner.lower[axis] && inner.upper[axis] <= outer.upper[axis];
    return result;
}

// A pair and what separates it.
struct DirectedPair {
    IndexPair pair;
    KeptDirection direction;
};
std::vector<DirectedPair> known_directions(std::span<const IndexPair> pairs,
                                           std::span<const KeptDirection> directions) {
    std::vector<DirectedPair> known;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (is_known(directions[i])) known.push_back({pairs[i], directions[i]});
    return known;
}
// For those that are still there. Requires: both ascending.
void keep_directions(std::span<const DirectedPair> before, std::span<const IndexPair> pairs,
                     std::span<KeptDirection> directions) noexcept {
    std::size_t i = 0;
    for (const DirectedPair& old : before) {
        while (i < pairs.size() && pairs[i] < old.pair)
            ++i;
        if (i < pairs.size() && pairs[i] == old.pair) directions[i] = old.direction;
    }
}

// Collects the pairs of one kind, by thread.
class Listed {
public:
    struct Local {
        std::array<std::vector<IndexPair>, kAllQueryKinds.size()> pairs;
        template <class Motion>
        void see(const StepQuery&, const PairVertices<Motion>&, std::uint32_t a, std::uint32_t b) {
            pairs[kind_index(Motion::kKind)].push_back({a, b});
        }
    };

    Listed() : locals_([] { return Local(); }) {}
    [[nodiscard]] Local& local() { return locals_.local(); }
    // All or nothing: what may throw comes first, then everything has its room.
    void collect(Candidates& candidates) const {
        std::array<std::vector<DirectedPair>, kAllQueryKinds.size()> before;
        for (const QueryKind kind : kAllQueryKinds) {
            std::vector<IndexPair>& all = CandidatesAccess::pairs(candidates, kind);
            std::vector<KeptDirection>& directions = CandidatesAccess::directions(candidates, kind);
            before[kind_index(kind)] = known_directions(all, directions);
            all.reserve(size(kind));
            directions.reserve(size(kind));
        }
        for (const QueryKind kind : kAllQueryKinds)
            replace(kind, before[kind_index(kind)], CandidatesAccess::pairs(candidates, kind),
                    CandidatesAccess::directions(candidates, kind));
    }

private:
    [[nodiscard]] std::size_t size(QueryKind kind) const {
        std::size_t sum = 0;
        for (const Local& local : locals_)
            sum += local.pairs[kind_index(kind)].size();
        return sum;
    }
    // Requires: room for all of them in both.
    void replace(QueryKind kind, std::span<const DirectedPair> before, std::vector<IndexPair>& all,
                 std::vector<KeptDirection>& directions) const noexcept {
        all.clear();
        for (const Local& local : locals_) {
            const std::vector<IndexPair>& found = local.pairs[kind_index(kind)];
            all.insert(all.end(), found.begin(), found.end());
        }
        std::sort(all.begin(), all.end());
        directions.assign(all.size(), KeptDirection{});
        keep_directions(before, all, directions);
    }

    PerThread<Local> locals_;
};

// Into `candidates`, whose memory is used again; they stay as they are after a stop.
Expected<void> find_candidates(const StepQuery& step, double margin, std::uint64_t id, Trees trees,
                               StepBoxes& boxes, Candidates& candidates) {
    const Grid grid = grid_of(step.vertices);
    const VertexCover cover(step, grid, margin);
    std::vector<GridBox> covered(step.mesh.vertex_count);
    for_each_range(covered.size(), kPairsAtATime, [&](std::size_t begin, std::size_t end) {
        as_sound_task([&] {
            for (std::size_t i = begin; i < end; ++i)
                covered[i] = cover(i, rounding_between(step.vertices[i]));
        });
    });
    boxes.set(trees, step.mesh, covered);
    Listed listed;
    StepWork work;
    if (!ask_all(step, boxes, listed, work)) return Error{"cancelled", ErrorCode::Cancelled};
    listed.collect(candidates);
    CandidatesAccess::set_cover(candidates, grid, std::move(covered), id);
    return {};
}

}  // namespace

// A pair that is not listed has k-DOPs, of the vertices' put together, that are disjoint. Where each
// vertex now has its k-DOP, by the same map to floats, within the one that it had then, those of the
// pair are disjoint, too; so the pair keeps its separation (Grid::around).
Expected<void> mesh_detail::check_cover(const StepQuery& step, std::uint64_t id, double margin) {
    const Candidates* const candidates = step.options.candidates;
    if (candidates == nullptr) return {};
    const std::span<const GridBox> covered = CandidatesAccess::covered(*candidates);
    // Those that were moved from cover no vertex.
    if (CandidatesAccess::topology(*candidates) != id || covered.size() != step.mesh.vertex_count)
        return Error{"candidates are those of another stepper", ErrorCode::InvalidOption};
    const VertexCover cover(step, CandidatesAccess::grid(*candidates), margin);
    std::atomic<std::size_t> first_outside = covered.size();
    for_each_range(covered.size(), kPairsAtATime, [&](std::size_t begin, std::size_t end) {
        as_sound_task([&] {
            for (std::size_t i = begin; i < end; ++i) {
                if (is_inside(cover(i), covered[i])) continue;
                std::size_t seen = first_outside.load();
                while (i < seen && !first_outside.compare_exchange_weak(seen, i)) {
                }
                return;
            }
        });
    });
    const std::size_t vertex = first_outside.load();
    if (vertex == covered.size()) return {};
    return Error{"vertex " + std::to_string(vertex) +
                     " leaves what the candidates cover: make them for this step, or with a larger "
                     "inflation",
                 ErrorCode::InvalidInput, vertex};
}

Expected<void> MeshStepper::State::set_candidates(Candidates& candidates,
                                                  std::span<const Vec3> start,
                                                  std::span<const Vec3> end, double inflation,
                                                  const StepOptions& options, Trees trees) {
    StepOptions all = options;
    all.filter = {};
    all.candidates = nullptr;
    all.query.t_max = 1.0;
    if (const auto good = check_step(topology, start, end, all); !good) return good;
    const double margin = search_margin_of(all, inflation);
    if (!(inflation >= 0.0) || !is_finite(margin))
        return Error{"inflation must be finite and >= 0", ErrorCode::InvalidOption};
    const StepQuery step{topology, set_vertices(start, end), all};
    // With room for the search of clearance(), whose reach may be all of the inflation.
    const double largest = std::max(largest_coordinate(start), largest_coordinate(end));
    const double enlarged = margin_for_reach(2.0 * (1.0 + 0x1p-47) * margin, 2.0 * largest);
    const double used = is_finite(enlarged) ? enlarged : margin;
    return in_arena(all, [&] { return find_candidates(step, used, id, trees, boxes, candidates); });
}

Expected<Candidates> MeshStepper::candidates(const Positions& start, const Positions& end,
                                             double inflation, const StepOptions& options) {
    const auto find = [&](std::span<const Vec3> from,
                          std::span<const Vec3> to) -> Expected<Candidates> {
        Candidates found;
        const Expected<void> good =
            state_->set_candidates(found, from, to, inflation, options, Trees::Build);
        if (!good) return good.error();
        return found;
    };
    return with_positions(find, start, end);
}

Expected<void> MeshStepper::refit(Candidates& candidates, const Positions& start,
                                  const Positions& end, double inflation,
                                  const StepOptions& options) {
    const auto find = [&](std::span<const Vec3> from, std::span<const Vec3> to) {
        return state_->set_candidates(candidates, from, to, inflation, options, Trees::Refit);
    };
    return with_positions(find, start, end);
}

}  // namespace graze
