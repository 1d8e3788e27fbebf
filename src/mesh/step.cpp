#include "graze/mesh/step.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "graze/core/rounding.hpp"
#include "mesh/pair_search.hpp"
#include "mesh/step_check.hpp"
#include "mesh/stepper_state.hpp"

namespace graze {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

bool comes_before(const Impact& a, const Impact& b) noexcept {
    return std::tuple(a.kind, a.a, a.b) < std::tuple(b.kind, b.a, b.b);
}

Expected<void> check(const MeshTopology& mesh, std::span<const Vec3> start,
                     std::span<const Vec3> end, const StepOptions& options) {
    if (const auto good = check_positions(start, mesh.vertex_count, "start"); !good) return good;
    if (const auto good = check_positions(end, mesh.vertex_count, "end"); !good) return good;
    return check_options(mesh, options);
}

// Those that no other precedes for certain: none ends before they begin.
std::vector<Impact> not_preceded(std::span<const Impact> impacts) {
    double end = kInfinity;
    for (const Impact& impact : impacts)
        end = std::min(end, impact.result.toi_upper);
    std::vector<Impact> firsts;
    std::copy_if(impacts.begin(), impacts.end(), std::back_inserter(firsts),
                 [end](const Impact& i) { return !(i.result.toi_lower > end); });
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

    explicit Everything(double t_max) : locals_(Local(t_max)) {}
    [[nodiscard]] Local& local() { return locals_.local(); }
    void add_work(StepWork& work) const { add_parts(locals_, work); }
    [[nodiscard]] std::vector<Impact> sorted() const {
        std::vector<Impact> all;
        for (const Local& local : locals_)
            all.insert(all.end(), local.impacts.begin(), local.impacts.end());
        std::sort(all.begin(), all.end(), comes_before);
        return all;
    }

private:
    tbb::enumerable_thread_specific<Local> locals_;
};

// What may be first. A contact that is proved at or before `limit` makes all later ones
// uninteresting: no query looks beyond it.
class Earliest {
public:
    class Local : public AsksMethod<Local> {
    public:
        explicit Local(std::atomic<double>& limit) : limit_(&limit) {}
        [[nodiscard]] double t_max() const noexcept { return limit_->load(); }
        void add(const Impact& impact) {
            impacts.push_back(impact);
            double seen = limit_->load();
            while (impact.result.toi_upper < seen &&
                   !limit_->compare_exchange_weak(seen, impact.result.toi_upper)) {
            }
        }
        std::vector<Impact> impacts;

    private:
        std::atomic<double>* limit_;
    };

    explicit Earliest(double t_max) : limit_(t_max), locals_([this] { return Local(limit_); }) {}
    [[nodiscard]] Local& local() { return locals_.local(); }
    // Looks as far as the end of a window, and forgets what was found in others.
    void open_window(double t_end) {
        limit_.store(t_end);
        for (Local& local : locals_) {
            local.impacts.clear();
            local.forget_hits();
        }
    }
    void add_work(StepWork& work) const { add_parts(locals_, work); }
    [[nodiscard]] std::vector<Impact> first_ones() const {
        std::vector<Impact> all;
        for (const Local& local : locals_)
            all.insert(all.end(), local.impacts.begin(), local.impacts.end());
        std::sort(all.begin(), all.end(), comes_before);
        return not_preceded(all);
    }

private:
    std::atomic<double> limit_;
    tbb::enumerable_thread_specific<Local> locals_;
};

// --- The stepper ---------------------------------------------------------------------------------

// By how much a box is larger than its vertices: half the separation each.
double margin_of(const StepOptions& options) noexcept {
    return 0.5 * options.query.min_separation + 0x1p-1074;
}

CcdResult asked_again(const StepQuery& step, const Impact& impact, const CcdOptions& query) {
    const auto ask = [&]<class Motion>(std::type_identity<Motion>) {
        const PairVertices<Motion> vertices(step.mesh, impact.a, impact.b);
        CcdOptions options = query;
        if (!step.options.radius.empty())
            options.min_separation = separation_of(step.options, vertices);
        return run(step.options.method, motion_of(step, vertices), options);
    };
    switch (impact.kind) {
        case QueryKind::VertexFace:
            return ask(std::type_identity<VertexFaceMotion>{});
        case QueryKind::EdgeEdge:
            return ask(std::type_identity<EdgeEdgeMotion>{});
        case QueryKind::VertexVertex:
            return ask(std::type_identity<VertexVertexMotion>{});
        case QueryKind::VertexEdge:
            break;
    }
    return ask(std::type_identity<VertexEdgeMotion>{});
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
    const CcdResult& wide = impact.result;
    if (!(next_up(wide.toi_lower) < wide.toi_upper))
        return {&impact, wide.toi_lower, wide.toi_upper};
    CcdOptions sharp = step.options.query;
    sharp.time_width = 0x1p-1074;
    const CcdResult narrow = asked_again(step, impact, sharp);
    return {&impact, std::max(wide.toi_lower, narrow.toi_lower),
            std::min(wide.toi_upper, narrow.toi_upper)};
}

// One that begins later than the best so far begins cannot precede it: its narrow bracket does not
// begin before its wide one. So which ones are asked again depends on the order of the threads, but
// the winner does not. Nothing after a stop.
std::optional<Winner> earliest(const StepQuery& step, std::span<const Impact> impacts) {
    tbb::enumerable_thread_specific<Winner> winners;
    std::atomic<double> first_lower = kInfinity;
    tbb::parallel_for(std::size_t{0}, impacts.size(), [&](std::size_t i) {
        if (step.options.stop.stop_requested()) return;
        if (impacts[i].result.toi_lower > first_lower.load()) return;
        const Winner candidate = narrowed(step, impacts[i]);
        Winner& best = winners.local();
        if (best.impact != nullptr && !candidate.precedes(best)) return;
        best = candidate;
        double seen = first_lower.load();
        while (best.lower < seen && !first_lower.compare_exchange_weak(seen, best.lower)) {
        }
    });
    if (step.options.stop.stop_requested()) return std::nullopt;
    Winner winner;
    for (const Winner& best : winners)
        if (winner.impact == nullptr || best.precedes(winner)) winner = best;
    return winner;
}

// All others are free up to where the winner's narrow bracket begins, and that is not before its
// wide one. False after a stop.
bool set_first(const StepQuery& step, std::span<const Impact> impacts, FirstImpact& result) {
    if (impacts.empty()) return true;
    const std::optional<Winner> winner = earliest(step, impacts);
    if (!winner) return false;
    result.impact = *winner->impact;
    result.toi_lower = winner->impact->result.toi_lower;
    return true;
}

// Real steps hit early, and boxes over a short window are small and few: the beginning of the step
// is looked at first, and the rest only where nothing was found.
Expected<FirstImpact> find_first(const StepQuery& step, StepBoxes& boxes) {
    constexpr std::array<double, 2> kWindows = {0x1p-4, 1.0};
    const double t_max = step.options.query.t_max;
    Earliest answers(t_max);
    FirstImpact result;
    bool is_built = false;
    for (const double window : kWindows) {
        const double t_end = std::min(window, t_max);
        const Clock::time_point begin = Clock::now();
        const double margin = margin_of(step.options);
        if (is_built) {
            boxes.refit(step.mesh, step.corners, t_end, step.options.radius, margin);
        } else {
            boxes.build(step.mesh, step.corners, t_end, step.options.radius, margin);
        }
        is_built = true;
        result.work.seconds_broad += seconds_since(begin);
        const Clock::time_point search = Clock::now();
        answers.open_window(t_end);
        if (!ask_all(step, boxes, answers, result.work)) return Error{"cancelled"};
        if (!set_first(step, answers.first_ones(), result)) return Error{"cancelled"};
        result.work.seconds_search += seconds_since(search);
        // What lies behind the window was not asked of all pairs.
        if (t_end >= t_max || result.toi_lower < t_end) break;
        result.toi_lower = kInfinity;
        result.impact.reset();
    }
    answers.add_work(result.work);
    return result;
}

Expected<AllImpacts> find_all(const StepQuery& step, StepBoxes& boxes) {
    AllImpacts result;
    const Clock::time_point begin = Clock::now();
    boxes.build(step.mesh, step.corners, step.options.query.t_max, step.options.radius,
                margin_of(step.options));
    result.work.seconds_broad = seconds_since(begin);
    const Clock::time_point search = Clock::now();
    Everything answers(step.options.query.t_max);
    if (!ask_all(step, boxes, answers, result.work)) return Error{"cancelled"};
    result.impacts = answers.sorted();
    answers.add_work(result.work);
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

Expected<FirstImpact> MeshStepper::first_impact(std::span<const Vec3> start,
                                                std::span<const Vec3> end,
                                                const StepOptions& options) {
    const Expected<void> good = check(state_->topology, start, end, options);
    if (!good) return good.error();
    const StepQuery step{state_->topology, state_->set_corners(start, end), options};
    return in_arena(options.threads, [&] { return find_first(step, state_->boxes); });
}

Expected<FirstImpact> MeshStepper::first_of(std::span<const Impact> impacts,
                                            std::span<const Vec3> start, std::span<const Vec3> end,
                                            const StepOptions& options) {
    const Expected<void> good = check(state_->topology, start, end, options);
    if (!good) return good.error();
    const Clock::time_point begin = Clock::now();
    const StepQuery step{state_->topology, state_->set_corners(start, end), options};
    FirstImpact result;
    const bool is_done = in_arena(
        options.threads, [&] { return set_first(step, not_preceded(impacts), result); });
    if (!is_done) return Error{"cancelled"};
    result.work.seconds_search = seconds_since(begin);
    return result;
}

Expected<AllImpacts> MeshStepper::all_impacts(std::span<const Vec3> start,
                                              std::span<const Vec3> end,
                                              const StepOptions& options) {
    const Expected<void> good = check(state_->topology, start, end, options);
    if (!good) return good.error();
    const StepQuery step{state_->topology, state_->set_corners(start, end), options};
    return in_arena(options.threads, [&] { return find_all(step, state_->boxes); });
}

}  // namespace graze
