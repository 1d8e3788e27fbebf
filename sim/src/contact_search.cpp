#include "contact_search.hpp"

#include <algorithm>
#include <string>

#include "graze/baselines/additive.hpp"
#include "graze/baselines/floating_point_roots.hpp"
#include "graze/io/query_file.hpp"
#include "graze/sim/barrier.hpp"
#include "graze/verify/methods.hpp"

namespace graze::sim {
namespace {

// Which fraction of the least distance a step keeps, and how often it is halved for lower energy.
constexpr double kKept = 0.2;
constexpr int kHalvings = 40;

std::uint64_t all_candidates(const StepWork& work) {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : work.candidates)
        sum += count;
    return sum;
}

// The line search that goes with the method where the scene leaves it open.
LineSearchKind kind_for(const Method& method, LineSearchKind asked) {
    if (asked != LineSearchKind::Graze) return asked;
    const Guarantee& g = method.guarantee;
    if (!g.no_false_negatives || !g.proved_toi_lower) return LineSearchKind::Plain;
    if (g.min_separation_euclidean) return LineSearchKind::Graze;
    return g.min_separation_max_norm ? LineSearchKind::Published : LineSearchKind::Plain;
}

template <class Motion>
double estimated_time(const StepOptions& step, const io::QueryRecord& record) {
    const auto motion = io::motion_of<Motion>(record);
    if (step.method.name == "additive") return additive_ccd(motion, {.query = step.query}).time_est;
    return floating_point_roots(motion, {.thickness = step.query.min_separation}).time_est;
}

// When the method takes an impact to happen; 0 where it does not say.
double reported_time(const MeshTopology& mesh, const StepOptions& step, std::span<const Vec3> start,
                     std::span<const Vec3> end, const Impact& impact) {
    if (impact.result.toi_lower > 0.0) return impact.result.toi_lower;
    const std::string_view name = step.method.name;
    if (name != "additive" && name != "floating-point-roots") return 0.0;
    io::QueryRecord record;
    const auto vertices = vertices_of_pair(mesh, impact.kind, impact.a, impact.b);
    for (std::size_t i = 0; i < vertex_count(impact.kind); ++i)
        record.corners[i] = {start[vertices[i]], end[vertices[i]]};
    double time = 0.0;
    switch (impact.kind) {
        case QueryKind::VertexFace:
            time = estimated_time<VertexFaceMotion>(step, record);
            break;
        case QueryKind::EdgeEdge:
            time = estimated_time<EdgeEdgeMotion>(step, record);
            break;
        case QueryKind::VertexVertex:
            time = estimated_time<VertexVertexMotion>(step, record);
            break;
        case QueryKind::VertexEdge:
            time = estimated_time<VertexEdgeMotion>(step, record);
            break;
    }
    return time <= 1.0 ? time : 0.0;
}

// The first of alpha, alpha / 2, ... with a lower energy that `is_free` accepts.
template <class Free>
Expected<SearchResult> backtrack(std::span<const Vec3> start, std::span<const Vec3> end,
                                 double alpha, const EnergyFunction& energy, const Free& is_free) {
    SearchResult result;
    result.is_limited = alpha < 1.0;
    result.energy = energy(start);
    result.positions.assign(start.begin(), start.end());
    for (int i = 0; i <= kHalvings && alpha > 0.0; ++i, alpha *= 0.5) {
        std::vector<Vec3> positions = positions_between(start, end, alpha);
        const double value = energy(positions);
        if (!(value < result.energy)) continue;
        const Expected<bool> free = is_free(positions);
        if (!free) return free.error();
        if (!*free) continue;
        result.alpha = alpha;
        result.energy = value;
        result.positions = std::move(positions);
        break;
    }
    return result;
}

}  // namespace

Expected<ContactSearch> ContactSearch::make(const Model& model, const ResponseOptions& options) {
    const MethodRegistry methods = verify::all_methods();
    std::string name = model.contact.method;
    const LineSearchKind asked = model.contact.line_search;
    const bool is_published = asked == LineSearchKind::Published || asked == LineSearchKind::Zero;
    if (is_published && name == "certified") name = "tight-inclusion-paper";
    const Method* method = options.method ? &*options.method : methods.find(name);
    if (method == nullptr) {
        return Error{"contact.method: there is no method '" + name + "', but " + methods.names(),
                     ErrorCode::InvalidOption};
    }
    ContactSearch search(model, MeshStepper(model.surface));
    search.options_.method = *method;
    search.options_.threads = static_cast<int>(options.threads);
    search.options_.stop = options.stop;
    if (model.contact.tolerance > 0.0) {
        search.options_.query.distance_tolerance = model.contact.tolerance;
    }
    search.kind_ = kind_for(*method, asked);
    const bool has_thickness = !model.radius.empty();
    const bool needs_none =
        search.kind_ == LineSearchKind::Published || search.kind_ == LineSearchKind::Zero;
    if (has_thickness && needs_none && model.contact.response == ContactResponse::Barrier) {
        return Error{"contact.line_search: Algorithm 4 has no thickness", ErrorCode::Unsupported};
    }
    return search;
}

Expected<Candidates> ContactSearch::candidates(std::span<const Vec3> start,
                                               std::span<const Vec3> end, double distance,
                                               FrameStats& stats) {
    const Seconds seconds;
    auto found = stepper_.candidates(start, end, distance, options_);
    stats.seconds_detection += seconds.since_start();
    return found;
}

Expected<SearchResult> ContactSearch::search(std::span<const Vec3> start, std::span<const Vec3> end,
                                             double distance, double gap,
                                             const EnergyFunction& energy,
                                             const Candidates& candidates, FrameStats& stats) {
    double seconds_energy = 0.0;
    const EnergyFunction timed = [&](std::span<const Vec3> x) {
        const Seconds seconds;
        const double value = energy(x);
        seconds_energy += seconds.since_start();
        return value;
    };
    const Seconds seconds;
    StepOptions step = options_;
    step.candidates = &candidates;
    stats.tested += candidates.size();
    Expected<SearchResult> result = [&]() -> Expected<SearchResult> {
        const double kept = kKept * std::min(gap, distance);
        if (kind_ == LineSearchKind::Plain) {
            return by_first_time(start, end, kept, timed, step, stats);
        }
        if (kind_ != LineSearchKind::Graze) {
            return as_published(start, end, distance, timed, step, stats);
        }
        auto found = step.radius.empty() ? by_distance(start, end, distance, timed, step)
                                         : by_thickness(start, end, kept, timed, step);
        if (found && found->is_limited) ++stats.positive;
        return found;
    }();
    stats.seconds_detection += seconds.since_start() - seconds_energy;
    return result;
}

// What is kept is at most a tenth of the distance: then line_search() asks for distances up to
// 2 max_kept / kept_fraction = `distance`, for which there are candidates.
Expected<SearchResult> ContactSearch::by_distance(std::span<const Vec3> start,
                                                  std::span<const Vec3> end, double distance,
                                                  const EnergyFunction& energy,
                                                  const StepOptions& step) {
    LineSearchOptions options;
    options.step = step;
    options.kept_fraction = kKept;
    options.max_kept = 0.499 * kKept * distance;
    options.max_halvings = kHalvings;
    auto found = line_search(stepper_, start, end, energy, options);
    if (!found) return found.error();
    return SearchResult{found->alpha, std::move(found->positions), found->energy,
                        found->alpha_free < 1.0};
}

// The same for elements with thickness: `kept` is halved until the start is farther away than that.
Expected<SearchResult> ContactSearch::by_thickness(std::span<const Vec3> start,
                                                   std::span<const Vec3> end, double kept,
                                                   const EnergyFunction& energy,
                                                   const StepOptions& step) {
    const auto first = [&](std::span<const Vec3> to, double separation) {
        StepOptions options = step;
        options.query.min_separation = separation;
        return stepper_.first_impact(start, to, options);
    };
    double alpha = 0.0;
    for (int i = 0; i < kHalvings && alpha == 0.0; ++i, kept *= 0.5) {
        const auto impact = first(end, i + 1 < kHalvings && kept > 0.0 ? kept : 0.0);
        if (!impact) return impact.error();
        alpha = impact->impact ? std::min(impact->toi_lower, 1.0) : 1.0;
    }
    return backtrack(start, end, alpha, energy,
                     [&](std::span<const Vec3> positions) -> Expected<bool> {
                         const auto impact = first(positions, 0.0);
                         if (!impact) return impact.error();
                         return !impact->impact;
                     });
}

Expected<SearchResult> ContactSearch::as_published(std::span<const Vec3> start,
                                                   std::span<const Vec3> end, double distance,
                                                   const EnergyFunction& energy,
                                                   const StepOptions& step, FrameStats& stats) {
    PublishedLineSearchOptions options;
    options.step = step;
    options.step.candidates = nullptr;
    options.step.query.distance_tolerance =
        std::min(options.step.query.distance_tolerance, distance);
    options.p = kind_ == LineSearchKind::Zero ? 0.0 : 0.5;
    // With the cap a step ends within 2 tolerances of contact, from where the next cannot start.
    options.caps_separation = false;
    options.max_halvings = kHalvings;
    auto found = published_line_search(stepper_, start, end, energy, options);
    if (!found) return found.error();
    if (found->alpha_free < 1.0) ++stats.positive;
    return SearchResult{found->alpha, std::move(found->positions), found->energy,
                        found->alpha_free < 1.0};
}

// Proves nothing: the method is taken at its word. Methods that know a separation keep a fraction of the
// distance by it, as Li et al. 2020 do; others go to 0.8 of the time. Methods that answer without a time
// are asked for half of the motion, half of that and so on, until they report nothing.
Expected<SearchResult> ContactSearch::by_first_time(std::span<const Vec3> start,
                                                    std::span<const Vec3> end, double kept,
                                                    const EnergyFunction& energy, StepOptions step,
                                                    FrameStats& stats) {
    double factor = 0.8;
    if (step.method.guarantee.min_separation_euclidean && kept > 0.0) {
        step.query.min_separation = kept;
        factor = 1.0;
    }
    const auto found = stepper_.all_impacts(start, end, step);
    if (!found) return found.error();
    stats.positive += found->impacts.size();
    double first = 1.0;
    for (const Impact& impact : found->impacts) {
        const double time = reported_time(stepper_.topology(), step, start, end, impact);
        first = std::min(first, factor * time);
    }
    for (int i = 0; i < kHalvings && first == 0.0; ++i) {
        step.query.t_max *= 0.5;
        const auto next = stepper_.first_impact(start, end, step);
        if (!next) return next.error();
        if (!next->impact) first = factor * step.query.t_max;
    }
    return backtrack(start, end, first, energy,
                     [](std::span<const Vec3>) -> Expected<bool> { return true; });
}

Expected<ActiveSet> ContactSearch::constraints(std::span<const Vec3> start,
                                               std::span<const Vec3> end, double offset,
                                               FrameStats& stats) {
    const Seconds seconds;
    StepOptions step = options_;
    step.query.min_separation = offset;
    if (!supports(step.method, step.query)) step.query.norm = Norm::Max;
    if (!supports(step.method, step.query)) step.query.min_separation = 0.0;
    auto set = active_set(stepper_, start, end, step);
    stats.seconds_detection += seconds.since_start();
    if (!set) return set;
    stats.tested += all_candidates(set->work);
    stats.positive += set->constraints.size();
    return set;
}

}  // namespace graze::sim
