#include "graze/mesh/published_line_search.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "graze/mesh/safe_step.hpp"
#include "graze/narrow/distance.hpp"
#include "mesh/pair_search.hpp"
#include "mesh/step_check.hpp"
#include "mesh/stepper_access.hpp"
#include "mesh/stepper_state.hpp"

namespace graze {
using namespace mesh_detail;
namespace {

// Line 5: the least distance of the candidates at the start, in the norm of the queries.
class LeastDistance {
public:
    class Local {
    public:
        template <class Motion>
        void see(const StepQuery& step, const PairVertices<Motion>& vertices, std::uint32_t,
                 std::uint32_t) {
            least = std::min(least, distance_lower(motion_of(step, vertices), Norm::Max));
        }
        double least = kInfinity;
    };

    LeastDistance() : locals_([] { return Local{}; }) {}
    [[nodiscard]] Local& local() { return locals_.local(); }
    [[nodiscard]] double least() const {
        double least = kInfinity;
        for (const Local& local : locals_)
            least = std::min(least, local.least);
        return least;
    }

private:
    PerThread<Local> locals_;
};

// Lines 12 to 15: the earliest time so far bounds the next query. One thread: what a query is asked
// depends on those before it.
class EarliestSoFar {
public:
    class Local {
    public:
        explicit Local(EarliestSoFar& all) : all_(&all) {}
        template <class Motion>
        void see(const StepQuery& step, const PairVertices<Motion>& vertices, std::uint32_t,
                 std::uint32_t) {
            CcdOptions query = step.options.query;
            query.t_max = all_->alpha;
            all_->add(functions_of<Motion>(step.options.method)
                          .query(step.options.method.context, motion_of(step, vertices), query));
        }

    private:
        EarliestSoFar* all_;
    };

    explicit EarliestSoFar(double delta)
        : tolerance(delta), locals_([this] { return Local(*this); }) {}
    [[nodiscard]] Local& local() { return locals_.local(); }

    // An answer whose time is impossible proves no time.
    void add(const CcdResult& result) noexcept {
        if (result.verdict == Verdict::Separated) return;
        alpha = result.toi_lower >= 0.0 ? std::min(alpha, result.toi_lower) : 0.0;
        tolerance = result.tolerance >= 0.0 ? std::max(tolerance, result.tolerance) : kInfinity;
    }

    double alpha = 1.0;
    double tolerance;  // delta_i

private:
    PerThread<Local> locals_;
};

// The numbers that lines 6 to 18 work on.
struct Validation {
    Algorithm4 reading = Algorithm4::Corrected;
    double p = 0.5;
    double distance = kInfinity;  // d_i
    double cap = 1e-6;            // delta, as it was given
    bool is_capped = true;
    double fixed_error = 0.0;  // epsilon_i + eta_i
    bool was_halved = false;

    [[nodiscard]] double separation() const noexcept {
        // Without a candidate there is no query.
        if (distance == kInfinity) return 0.0;
        const double kept = p * distance;
        if (reading == Algorithm4::Corrected) return is_capped ? std::min(kept, cap) : kept;
        return was_halved ? kept : std::max(kept, cap);
    }
    // Lines 8 and 16: is p to be halved, with this tolerance?
    [[nodiscard]] bool is_refused(double tolerance) const noexcept {
        const double error = tolerance + fixed_error;
        const double d = separation();
        if (reading == Algorithm4::Corrected) return !(distance - error > d);
        return p < (d - error) / d;
    }
    // Is there any p that would be accepted? Not where the errors are as large as the distance.
    [[nodiscard]] bool can_be_accepted(double tolerance) const noexcept {
        return reading == Algorithm4::Printed || distance - (tolerance + fixed_error) > 0.0;
    }
    void halve() noexcept {
        p *= 0.5;
        was_halved = true;
    }
};

// One call.
class PublishedSearch {
public:
    PublishedSearch(MeshStepper& stepper, std::span<const Vec3> start, std::span<const Vec3> end,
                    const PublishedLineSearchOptions& options)
        : stepper_(stepper), start_(start), end_(end), options_(options), step_(options.step) {
        step_.threads = 1;
        step_.query.norm = Norm::Max;
        step_.query.min_separation = 0.0;
        step_.query.t_max = 1.0;
    }

    // Lines 2 to 18.
    [[nodiscard]] Expected<void> find_free_step() {
        return in_arena(step_, [this] { return search(); });
    }
    // Lines 20 to 25.
    [[nodiscard]] Expected<void> backtrack(
        const std::function<double(std::span<const Vec3>)>& energy);

    PublishedLineSearchResult result;

private:
    [[nodiscard]] Expected<void> search();
    [[nodiscard]] Expected<void> set_distance(const StepBoxes& boxes);
    // Line 8; false where the halvings are spent, or no p is small enough.
    [[nodiscard]] bool validate(double tolerance);
    [[nodiscard]] Expected<double> pass(const StepBoxes& boxes, double tolerance);
    [[nodiscard]] Expected<bool> is_reached_freely(std::span<const Vec3> positions);

    MeshStepper& stepper_;
    std::span<const Vec3> start_;
    std::span<const Vec3> end_;
    const PublishedLineSearchOptions& options_;
    StepOptions step_;
    std::span<const MovingPoint> vertices_;
    Validation rule_;
};

Error search_was_cancelled() {
    return {"cancelled", ErrorCode::Cancelled};
}

Expected<void> PublishedSearch::set_distance(const StepBoxes& boxes) {
    const StepQuery step{stepper_.topology(), vertices_, step_};
    LeastDistance distances;
    StepWork work;
    if (!ask_all(step, boxes, distances, work)) return search_was_cancelled();
    result.distance = distances.least();
    return {};
}

bool PublishedSearch::validate(double tolerance) {
    while (rule_.is_refused(tolerance)) {
        if (!rule_.can_be_accepted(tolerance) || result.halvings >= options_.max_halvings)
            return false;
        rule_.halve();
        ++result.halvings;
    }
    return true;
}

// Lines 11 to 15. Returns delta_i.
Expected<double> PublishedSearch::pass(const StepBoxes& boxes, double tolerance) {
    StepOptions asked = step_;
    asked.query.min_separation = rule_.separation();
    // What was reached may be infinite, which is no tolerance to ask for.
    asked.query.distance_tolerance = std::isfinite(tolerance) ? tolerance : rule_.cap;
    const StepQuery step{stepper_.topology(), vertices_, asked};
    EarliestSoFar earliest(tolerance);
    if (!ask_all(step, boxes, earliest, result.work)) return search_was_cancelled();
    ++result.passes;
    result.alpha_free = earliest.alpha;
    result.separation = asked.query.min_separation;
    result.p = rule_.p;
    result.tolerance = earliest.tolerance;
    return earliest.tolerance;
}

Expected<void> PublishedSearch::search() {
    auto& state = StepperAccess::state(stepper_);
    vertices_ = state.set_vertices(start_, end_);
    const double delta = step_.query.distance_tolerance;
    // Line 3. Pairs that come within the cap are candidates too, so that d is kept for all pairs
    // (as printed there is no cap: then for those alone whose swept boxes are that near).
    state.boxes.set(Trees::Build, state.topology, vertices_, 1.0, {}, 0.5 * delta + 0x1p-1074);
    if (const auto good = set_distance(state.boxes); !good) return good.error();
    rule_ = {.reading = options_.reading,
             .p = options_.p,
             .distance = result.distance,
             .cap = delta,
             .is_capped = options_.caps_separation,
             .fixed_error = published_separation_filter(start_, end_) + options_.distance_error,
             .was_halved = false};
    double tolerance = delta;
    for (;;) {
        const bool is_valid = validate(tolerance);
        const Expected<double> reached = pass(state.boxes, tolerance);
        if (!reached) return reached.error();
        const bool holds = !rule_.is_refused(*reached);
        result.is_validated = is_valid && holds;
        // Line 18, where another p can help.
        const bool may_repeat = is_valid && !holds && rule_.can_be_accepted(*reached) &&
                                result.halvings < options_.max_halvings;
        if (!may_repeat || result.passes >= options_.max_passes) return {};
        tolerance = *reached;
    }
}

Expected<bool> PublishedSearch::is_reached_freely(std::span<const Vec3> positions) {
    if (!options_.tests_positions) return true;
    // Not by the method of the search: it cannot tell what is within its tolerance from contact.
    StepOptions exact = step_;
    exact.method = make_certified();
    const Expected<FirstImpact> first = stepper_.first_impact(start_, positions, exact);
    if (!first) return first.error();
    return !first->impact;
}

Expected<void> PublishedSearch::backtrack(
    const std::function<double(std::span<const Vec3>)>& energy) {
    double alpha = result.alpha_free;
    for (int i = 0; i <= options_.max_halvings && alpha > 0.0; ++i, alpha *= 0.5) {
        std::vector<Vec3> positions = positions_between(start_, end_, alpha);
        const double value = energy(positions);
        ++result.evaluations;
        if (!(value < result.energy)) continue;
        const Expected<bool> free = is_reached_freely(positions);
        if (!free) return free.error();
        if (!*free) continue;
        result.alpha = alpha;
        result.positions = std::move(positions);
        result.energy = value;
        return {};
    }
    return {};
}

Expected<void> check_published(const MeshStepper& stepper, std::span<const Vec3> start,
                               std::span<const Vec3> end,
                               const PublishedLineSearchOptions& options) {
    const auto invalid = [](const char* what) {
        return Error{std::string("published line search: ") + what, ErrorCode::InvalidOption};
    };
    if (!(options.p >= 0.0 && options.p < 1.0)) return invalid("p must be in [0, 1)");
    if (!(options.distance_error >= 0.0) || !is_finite(options.distance_error))
        return invalid("distance_error must be finite and >= 0");
    if (options.max_passes < 1) return invalid("max_passes must be >= 1");
    if (options.max_halvings < 0) return invalid("max_halvings must be >= 0");
    if (!options.step.radius.empty())
        return invalid("step.radius must be empty: distances are kept, not thickness");
    const Guarantee& proves = options.step.method.guarantee;
    if (!proves.no_false_negatives || !proves.proved_toi_lower)
        return invalid("step.method must prove its separations and free times");
    const MeshTopology& mesh = stepper.topology();
    if (const auto good = check_positions(start, mesh.vertex_count, "start"); !good) return good;
    if (const auto good = check_positions(end, mesh.vertex_count, "end"); !good) return good;
    // A separation is asked for in any case: also methods without one are refused.
    StepOptions step = options.step;
    step.query.norm = Norm::Max;
    step.query.min_separation = step.query.distance_tolerance;
    step.query.t_max = 1.0;
    return check_options(mesh, step);
}

Expected<PublishedLineSearchResult> sound_published_search(
    MeshStepper& stepper, std::span<const Vec3> start, std::span<const Vec3> end,
    const std::function<double(std::span<const Vec3>)>& energy,
    const PublishedLineSearchOptions& options) {
    if (const auto good = check_published(stepper, start, end, options); !good) return good.error();
    PublishedSearch search(stepper, start, end, options);
    search.result.positions.assign(start.begin(), start.end());
    search.result.energy = energy(start);
    search.result.evaluations = 1;
    if (std::isnan(search.result.energy))
        return Error{"published line search: the energy of the start is NaN",
                     ErrorCode::InvalidInput};
    if (const auto good = search.find_free_step(); !good) return good.error();
    if (const auto good = search.backtrack(energy); !good) return good.error();
    return std::move(search.result);
}

}  // namespace

double published_separation_filter(std::span<const Vec3> start,
                                   std::span<const Vec3> end) noexcept {
    // Of the two constants of Eq. 8 that of vertex-face, which is the larger one.
    constexpr double kVertexFace = 7.549516567451064e-15;
    double gamma = 1.0;
    for (const std::span<const Vec3> positions : {start, end}) {
        for (const Vec3& p : positions)
            gamma = std::max({gamma, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    }
    return kVertexFace * (gamma * gamma * gamma);
}

Expected<PublishedLineSearchResult> published_line_search(
    MeshStepper& stepper, std::span<const Vec3> start, std::span<const Vec3> end,
    const std::function<double(std::span<const Vec3>)>& energy,
    const PublishedLineSearchOptions& options) {
    return with_sound_arithmetic(
        [&] { return sound_published_search(stepper, start, end, energy, options); });
}

}  // namespace graze
