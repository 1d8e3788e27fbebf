#include "graze/mesh/step.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "graze/core/rounding.hpp"
#include "mesh/bounded_step.hpp"
#include "mesh/candidate_pairs.hpp"
#include "mesh/impact_motion.hpp"
#include "mesh/pair_search.hpp"
#include "mesh/proved_bracket.hpp"
#include "mesh/step_check.hpp"
#include "mesh/stepper_access.hpp"
#include "mesh/stepper_state.hpp"
#include "mesh/with_positions.hpp"

namespace graze {
using namespace mesh_detail;
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

bool comes_before(const Impact& a, const Impact& b) noexcept {
    return std::tuple(a.kind, a.a, a.b) < std::tuple(b.kind, b.a, b.b);
}

// --- Which is first ------------------------------------------------------------------------------

// What comes first, by what the method returns, proved or not; an impossible bracket may come at once.
std::tuple<double, double> order_of(const CcdResult& result, const StepOptions& options) noexcept {
    const bool is_possible = result.toi_lower >= 0.0 && result.toi_lower <= options.query.t_max &&
                             result.toi_lower <= result.toi_upper;
    if (!is_possible) return {0.0, kInfinity};
    return {result.toi_lower, result.toi_upper};
}

// Those that no other precedes for certain: none ends before they begin.
std::vector<Impact> not_preceded(std::span<const Impact> impacts, const StepOptions& options) {
    double end = kInfinity;
    for (const Impact& impact : impacts)
        end = std::min(end, proved_bracket(impact.result, options).upper);
    std::vector<Impact> firsts;
    std::copy_if(impacts.begin(), impacts.end(), std::back_inserter(firsts),
                 [&](const Impact& i) { return !(proved_bracket(i.result, options).lower > end); });
    return firsts;
}

// --- Answers -------------------------------------------------------------------------------------

// Everything that is not Separated.
class Everything {
public:
    struct Local : AsksMethod<Local> {
        explicit Local(double t_max) : limit(t_max) {}
        double limit;
        std::vector<Impact> impacts;
        [[nodiscard]] double t_max() const noexcept { return limit; }
        void add(const Impact& impact) { impacts.push_back(impact); }
    };

    explicit Everything(double t_max) : locals_([t_max] { return Local(t_max); }) {}
    [[nodiscard]] Local& local() { return locals_.local(); }
    void add_work(StepWork& work) const { add_tiers(locals_, work); }
    [[nodiscard]] std::vector<Impact> sorted() const {
        std::vector<Impact> all;
        for (const Local& local : locals_)
            all.insert(all.end(), local.impacts.begin(), local.impacts.end());
        std::sort(all.begin(), all.end(), comes_before);
        return all;
    }

private:
    PerThread<Local> locals_;
};

void lower_to(double value, std::atomic<double>& least) noexcept {
    double seen = least.load();
    while (value < seen && !least.compare_exchange_weak(seen, value)) {
    }
}

// What may be first. A contact that is proved at or before `limit` makes all later ones
// irrelevant: no query searches beyond it.
class Earliest {
public:
    class Local : public AsksMethod<Local> {
    public:
        Local(std::atomic<double>& limit, const StepOptions& options)
            : limit_(&limit), options_(&options) {}
        [[nodiscard]] double t_max() const noexcept { return limit_->load(); }
        void add(const Impact& impact) {
            impacts.push_back(impact);
            lower_to(proved_bracket(impact.result, *options_).upper, *limit_);
        }
        std::vector<Impact> impacts;

    private:
        std::atomic<double>* limit_;
        const StepOptions* options_;
    };

    explicit Earliest(const StepOptions& options)
        : options_(options),
          limit_(options.query.t_max),
          locals_([this] { return Local(limit_, options_); }) {}
    [[nodiscard]] Local& local() { return locals_.local(); }
    // Looks as far as the end of a window, and forgets what was found in others.
    void open_window(double t_end) {
        limit_.store(t_end);
        for (Local& local : locals_) {
            local.impacts.clear();
            local.forget_hits();
        }
    }
    void add_work(StepWork& work) const { add_tiers(locals_, work); }
    [[nodiscard]] std::vector<Impact> first_ones() const {
        std::vector<Impact> all;
        for (const Local& local : locals_)
            all.insert(all.end(), local.impacts.begin(), local.impacts.end());
        std::sort(all.begin(), all.end(), comes_before);
        return not_preceded(all, options_);
    }

private:
    const StepOptions& options_;
    std::atomic<double> limit_;
    PerThread<Local> locals_;
};

// --- The stepper ---------------------------------------------------------------------------------

CcdResult asked_again(const StepQuery& step, const Impact& impact, const CcdOptions& query) {
    return visit(impact.kind, [&]<class Motion>(std::type_identity<Motion>) {
        const PairVertices<Motion> vertices(step.mesh, impact.a, impact.b);
        CcdOptions options = query;
        if (!step.options.radius.empty())
            options.min_separation = separation_of(step.options, vertices);
        Method method = step.options.method;
        const QueryBounds of_pair = bounds_by_rest(step, vertices);
        if (step.by_rest != nullptr) method.context = &of_pair;
        return run(method, motion_of(step, vertices), options);
    });
}

// The first of several whose brackets overlap: by brackets that are as narrow as can be had.
struct Winner {
    const Impact* impact = nullptr;
    double lower = kInfinity;  // of its narrow bracket, which is no wider than that of the impact
    double upper = kInfinity;

    // Of equal brackets the first in the order of kind, a, b: impacts are sorted by it.
    [[nodiscard]] bool precedes(const Winner& other) const noexcept {
        return std::tuple(lower, upper, impact) <
               std::tuple(other.lower, other.upper, other.impact);
    }
};

Winner narrowed(const StepQuery& step, const Impact& impact) {
    const auto [lower, upper] = order_of(impact.result, step.options);
    if (!(next_up(lower) < upper)) return {&impact, lower, upper};
    CcdOptions sharp = step.options.query;
    sharp.time_width = 0x1p-1074;
    const CcdResult narrow = asked_again(step, impact, sharp);
    if (narrow.verdict == Verdict::Separated) return {&impact, lower, upper};
    const auto [narrow_lower, narrow_upper] = order_of(narrow, step.options);
    return {&impact, std::max(lower, narrow_lower), std::min(upper, narrow_upper)};
}

// One that begins later than the best so far begins cannot precede it: its narrow bracket does not
// begin before its wide one. So which ones are asked again depends on the order of the threads, but
// the winner does not. No impact where there are none; nothing after a stop.
std::optional<Winner> earliest(const StepQuery& step, std::span<const Impact> impacts) {
    PerThread<Winner> winners([] { return Winner{}; });
    std::atomic<double> first_lower = kInfinity;
    const auto compare = [&](const Impact& impact) {
        if (std::get<0>(order_of(impact.result, step.options)) > first_lower.load()) return;
        const Winner candidate = narrowed(step, impact);
        Winner& best = winners.local();
        if (best.impact != nullptr && !candidate.precedes(best)) return;
        best = candidate;
        lower_to(best.lower, first_lower);
    };
    for_each_range(impacts.size(), 1, [&](std::size_t begin, std::size_t end) {
        as_sound_task([&] {
            for (std::size_t i = begin; i < end && !step.options.stop.stop_requested(); ++i)
                compare(impacts[i]);
        });
    });
    if (step.options.stop.stop_requested()) return std::nullopt;
    Winner winner;
    for (const Winner& best : winners)
        if (winner.impact == nullptr || best.precedes(winner)) winner = best;
    return winner;
}

// Of a method that proves its brackets: all others are free up to where the winner's narrow bracket
// begins, and that is not before its wide one. Of any other method nothing is free.
//
// `firsts` are those that the winner was chosen from: one of them has the least upper end of all.
StepVerdict verdict_of(const StepQuery& step, std::span<const Impact> firsts,
                       const Winner& winner) noexcept {
    const auto proved = [&](const CcdResult& result) {
        return proved_bracket(result, step.options);
    };
    if (winner.impact == nullptr) {
        const double lower = proved(separated()).lower;
        return {lower == kInfinity ? Verdict::Separated : Verdict::Unresolved, lower, kInfinity};
    }
    const CcdResult& result = winner.impact->result;
    StepVerdict verdict{result.verdict, proved(result).lower, kInfinity};
    for (const Impact& impact : firsts)
        verdict.toi_upper = std::min(verdict.toi_upper, proved(impact.result).upper);
    if (verdict.toi_upper < kInfinity) verdict.verdict = Verdict::Contact;
    return verdict;
}

Error cancelled() {
    return {"cancelled", ErrorCode::Cancelled};
}

void set_pair(const StepQuery& step, const Impact& impact, FirstImpact& result) {
    result.impact = impact;
    const auto motion_of_vertex = [&](std::uint32_t v) { return step.vertices[v]; };
    result.contact = contact_of(vertices_of(step.mesh, impact, motion_of_vertex), impact);
}

// Real steps hit early, and boxes over a short window are small and few: the beginning of the step
// is searched first, and the rest only where nothing was found.
Expected<FirstImpact> find_first(const StepQuery& step, StepBoxes& boxes, Trees trees) {
    constexpr std::array<double, 2> kWindows = {0x1p-4, 1.0};
    const double t_max = step.options.query.t_max;
    Earliest answers(step.options);
    FirstImpact result;
    const bool has_pairs = step.options.candidates != nullptr;
    for (const double window : kWindows) {
        if (has_pairs && window < kWindows.back()) continue;  // no smaller boxes to gain from
        const double t_end = std::min(window, t_max);
        const Clock::time_point begin = Clock::now();
        const double margin = search_margin_of(step.options);
        if (!has_pairs && window == kWindows.front()) {
            boxes.set(trees, step.mesh, step.vertices, t_end, step.options.radius, margin);
        } else if (!has_pairs) {
            boxes.refit(step.mesh, step.vertices, t_end, step.options.radius, margin);
        }
        result.work.seconds_broad += seconds_since(begin);
        const Clock::time_point search = Clock::now();
        answers.open_window(t_end);
        if (!ask_pairs(step, boxes, answers, result.work)) return cancelled();
        const std::vector<Impact> firsts = answers.first_ones();
        const std::optional<Winner> winner = earliest(step, firsts);
        if (!winner) return cancelled();
        result.work.seconds_search += seconds_since(search);
        const bool is_last = t_end >= t_max;
        const StepVerdict verdict = verdict_of(step, firsts, *winner);
        // What lies behind the window was not asked of all pairs.
        const bool is_within =
            winner->impact != nullptr &&
            (is_last || (std::get<0>(order_of(winner->impact->result, step.options)) < t_end &&
                         (!has_separation(step.options) || verdict.toi_upper <= t_end)));
        if (!is_last && !is_within) continue;
        static_cast<StepVerdict&>(result) = verdict;
        if (is_within) set_pair(step, *winner->impact, result);
        break;
    }
    answers.add_work(result.work);
    return result;
}

// Which impact is first; false after a stop.
bool set_first(const StepQuery& step, StepImpacts& result) {
    const std::vector<Impact> firsts = not_preceded(result.impacts, step.options);
    const std::optional<Winner> winner = earliest(step, firsts);
    if (!winner) return false;
    static_cast<StepVerdict&>(result) = verdict_of(step, firsts, *winner);
    if (winner->impact == nullptr) return true;
    const auto found = std::lower_bound(result.impacts.begin(), result.impacts.end(),
                                        *winner->impact, comes_before);
    result.first = static_cast<std::size_t>(found - result.impacts.begin());
    return true;
}

Expected<StepImpacts> find_all(const StepQuery& step, StepBoxes& boxes, Trees trees,
                               bool wants_first) {
    StepImpacts result;
    const Clock::time_point begin = Clock::now();
    if (step.options.candidates == nullptr) {
        boxes.set(trees, step.mesh, step.vertices, step.options.query.t_max, step.options.radius,
                  search_margin_of(step.options));
    }
    result.work.seconds_broad = seconds_since(begin);
    const Clock::time_point search = Clock::now();
    Everything answers(step.options.query.t_max);
    if (!ask_pairs(step, boxes, answers, result.work)) return cancelled();
    result.impacts = answers.sorted();
    answers.add_work(result.work);
    if (wants_first && !set_first(step, result)) return cancelled();
    result.work.seconds_search = seconds_since(search);
    return result;
}

}  // namespace

MeshStepper::MeshStepper(MeshTopology topology)
    : state_(std::make_unique<State>(std::move(topology))) {}
MeshStepper::MeshStepper(MeshStepper&&) noexcept = default;
MeshStepper& MeshStepper::operator=(MeshStepper&&) noexcept = default;
MeshStepper::~MeshStepper() = default;

const MeshTopology& MeshStepper::topology() const noexcept {
    return state_->topology;
}

namespace {

// As given, or the reason why it is none.
Expected<MeshTopology> topology_of(std::size_t vertex_count, const IndexRows<2>& loose_edges,
                                   const IndexRows<3>& faces) {
    if (loose_edges.error()) return *loose_edges.error();
    if (faces.error()) return *faces.error();
    return make_topology(vertex_count, faces.view(), loose_edges.view());
}

}  // namespace

Expected<MeshStepper> MeshStepper::create(std::size_t vertex_count, const IndexRows<2>& loose_edges,
                                          const IndexRows<3>& faces) {
    Expected<MeshTopology> topology = topology_of(vertex_count, loose_edges, faces);
    if (!topology) return topology.error();
    return MeshStepper(*std::move(topology));
}

Expected<MeshStepper> MeshStepper::create(const Positions& positions,
                                          const IndexRows<2>& loose_edges,
                                          const IndexRows<3>& faces) {
    if (positions.error()) return *positions.error();
    return create(positions.view().size(), loose_edges, faces);
}

void MeshStepper::set_topology(MeshTopology topology) {
    state_->set_topology(std::move(topology));
}

Expected<void> MeshStepper::set_topology(std::size_t vertex_count, const IndexRows<2>& loose_edges,
                                         const IndexRows<3>& faces) {
    Expected<MeshTopology> topology = topology_of(vertex_count, loose_edges, faces);
    if (!topology) return topology.error();
    set_topology(*std::move(topology));
    return {};
}

Expected<FirstImpact> MeshStepper::first_impact(const Positions& start, const Positions& end,
                                                const StepOptions& options) {
    const auto find = [&](std::span<const Vec3> from, std::span<const Vec3> to) {
        return state_->first_impact(from, to, options, Trees::Build);
    };
    return with_positions(find, start, end);
}

Expected<FirstImpact> MeshStepper::State::first_impact(std::span<const Vec3> start,
                                                       std::span<const Vec3> end,
                                                       const StepOptions& options, Trees trees) {
    return with_sound_arithmetic([&]() -> Expected<FirstImpact> {
        const Expected<void> good = check_step(topology, start, end, options);
        if (!good) return good.error();
        const auto vertices = set_vertices(start, end);
        const BoundedStep bounded(topology, vertices, options);
        const StepQuery step{topology, vertices, bounded.options(), bounded.by_rest()};
        auto first = in_arena(options, [&]() -> Expected<FirstImpact> {
            const Expected<void> covered = check_cover(step, id, margin_of(options));
            if (!covered) return covered.error();
            return find_first(step, boxes, trees);
        });
        if (first) first->bounds = bounded.used();
        return first;
    });
}

Expected<StepImpacts> MeshStepper::all_impacts(const Positions& start, const Positions& end,
                                               const StepOptions& options) {
    const auto find = [&](std::span<const Vec3> from, std::span<const Vec3> to) {
        return state_->all_impacts(from, to, options, Trees::Build, true);
    };
    return with_positions(find, start, end);
}

Expected<StepImpacts> mesh_detail::unordered_impacts(MeshStepper& stepper,
                                                     std::span<const Vec3> start,
                                                     std::span<const Vec3> end,
                                                     const StepOptions& options, Trees trees) {
    return StepperAccess::state(stepper).all_impacts(start, end, options, trees, false);
}

Expected<StepImpacts> MeshStepper::State::all_impacts(std::span<const Vec3> start,
                                                      std::span<const Vec3> end,
                                                      const StepOptions& options, Trees trees,
                                                      bool wants_first) {
    return with_sound_arithmetic([&]() -> Expected<StepImpacts> {
        const Expected<void> good = check_step(topology, start, end, options);
        if (!good) return good.error();
        const auto vertices = set_vertices(start, end);
        const BoundedStep bounded(topology, vertices, options);
        const StepQuery step{topology, vertices, bounded.options(), bounded.by_rest()};
        auto all = in_arena(options, [&]() -> Expected<StepImpacts> {
            const Expected<void> covered = check_cover(step, id, margin_of(options));
            if (!covered) return covered.error();
            return find_all(step, boxes, trees, wants_first);
        });
        if (all) all->bounds = bounded.used();
        return all;
    });
}

}  // namespace graze
