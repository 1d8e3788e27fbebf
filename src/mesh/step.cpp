#include "graze/mesh/step.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "graze/core/rounding.hpp"
#include "mesh/bounded_step.hpp"
#include "mesh/candidate_pairs.hpp"
#include "mesh/impact_motion.hpp"
#include "mesh/near_pairs.hpp"
#include "mesh/pair_search.hpp"
#include "mesh/plane_culling.hpp"
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

// Where each impact goes that is sorted by kind and a into buckets.
class ImpactBuckets {
public:
    ImpactBuckets(std::size_t count, std::uint32_t largest_a)
        : per_kind_(count / kImpactsOfBucket + 1), width_(largest_a / per_kind_ + 1) {}
    [[nodiscard]] std::size_t size() const noexcept { return kAllQueryKinds.size() * per_kind_; }
    [[nodiscard]] std::size_t operator()(const Impact& impact) const noexcept {
        return static_cast<std::size_t>(impact.kind) * per_kind_ + impact.a / width_;
    }

private:
    static constexpr std::size_t kImpactsOfBucket = 256;
    std::size_t per_kind_;
    std::size_t width_;  // numbers a in a bucket
};

std::vector<Impact> joined(std::span<const std::vector<Impact>> parts) {
    std::vector<Impact> all;
    for (const std::vector<Impact>& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

// All of them in the order of kind, a, b: first into buckets, which takes linear time, then each
// bucket by itself; parts and buckets in parallel. No two are alike, so that the result depends
// neither on the parts nor on the buckets.
std::vector<Impact> sorted_impacts(std::span<const std::vector<Impact>> parts) {
    constexpr std::size_t kFew = 4096;
    constexpr std::size_t kBucketsAtATime = 8;
    std::size_t count = 0;
    std::uint32_t largest_a = 0;
    for (const std::vector<Impact>& part : parts) {
        count += part.size();
        for (const Impact& impact : part)
            largest_a = std::max(largest_a, impact.a);
    }
    if (count < kFew) {
        std::vector<Impact> all = joined(parts);
        std::sort(all.begin(), all.end(), comes_before);
        return all;
    }
    const ImpactBuckets bucket_of(count, largest_a);
    // By part and bucket: how many there are, and then where they begin.
    std::vector<std::vector<std::size_t>> begins(parts.size());
    for_each_range(parts.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part) {
            begins[part].assign(bucket_of.size(), 0);
            for (const Impact& impact : parts[part])
                ++begins[part][bucket_of(impact)];
        }
    });
    std::vector<std::size_t> bucket_begin(bucket_of.size() + 1, count);
    std::size_t sum = 0;
    for (std::size_t bucket = 0; bucket < bucket_of.size(); ++bucket) {
        bucket_begin[bucket] = sum;
        for (std::vector<std::size_t>& of_part : begins)
            sum += std::exchange(of_part[bucket], sum);
    }
    std::vector<Impact> all(count);
    for_each_range(parts.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part)
            for (const Impact& impact : parts[part])
                all[begins[part][bucket_of(impact)]++] = impact;
    });
    for_each_range(bucket_of.size(), kBucketsAtATime, [&](std::size_t begin, std::size_t end) {
        for (std::size_t bucket = begin; bucket < end; ++bucket)
            std::sort(all.begin() + static_cast<std::ptrdiff_t>(bucket_begin[bucket]),
                      all.begin() + static_cast<std::ptrdiff_t>(bucket_begin[bucket + 1]),
                      comes_before);
    });
    return all;
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
    // Gives away what was found.
    [[nodiscard]] std::vector<Impact> sorted() {
        std::vector<std::vector<Impact>> parts;
        for (Local& local : locals_)
            parts.push_back(std::move(local.impacts));
        return sorted_impacts(parts);
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
    // A contact at or before it is proved, unless it is the end of the window.
    [[nodiscard]] double limit() const noexcept { return limit_.load(); }
    void add_work(StepWork& work) const { add_tiers(locals_, work); }
    // In no order.
    [[nodiscard]] std::vector<Impact> first_ones() const {
        std::vector<Impact> all;
        for (const Local& local : locals_)
            all.insert(all.end(), local.impacts.begin(), local.impacts.end());
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
        // What run() would ensure was checked before.
        return functions_of<Motion>(method).query(method.context, motion_of(step, vertices),
                                                  options);
    });
}

// The first of several whose brackets overlap: by brackets that are as narrow as can be had.
struct Winner {
    const Impact* impact = nullptr;
    double lower = kInfinity;  // of its narrow bracket, which is no wider than that of the impact
    double upper = kInfinity;

    // Of equal brackets the first in the order of kind, a, b. Requires: an impact in both.
    [[nodiscard]] bool precedes(const Winner& other) const noexcept {
        if (lower != other.lower || upper != other.upper)
            return std::tuple(lower, upper) < std::tuple(other.lower, other.upper);
        return comes_before(*impact, *other.impact);
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
    // A stop is final, also where the token says no when it is asked again: an impact may have been left out.
    std::atomic<bool> is_stopped = false;
    for_each_range(impacts.size(), 1, [&](std::size_t begin, std::size_t end) {
        as_sound_task([&] {
            for (std::size_t i = begin; i < end && !is_stopped.load(); ++i) {
                if (step.options.stop.stop_requested())
                    is_stopped.store(true);
                else
                    compare(impacts[i]);
            }
        });
    });
    if (is_stopped.load() || step.options.stop.stop_requested()) return std::nullopt;
    Winner winner;
    for (const Winner& best : winners)
        if (best.impact != nullptr && (winner.impact == nullptr || best.precedes(winner)))
            winner = best;
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

// How much larger are the boxes of edges over all of the step than those over [0, t_end]? By some of
// them; nothing depends on it but time.
double growth_of_boxes(const StepQuery& step, double t_end) noexcept {
    const std::vector<EdgeIndices>& edges = step.mesh.edges;
    const std::size_t stride = edges.size() / 1024 + 1;
    const auto extent = [&](const EdgeIndices& edge, double t) {
        Box box;
        for (const std::uint32_t vertex : edge) {
            const auto& [start, end] = step.vertices[vertex];
            box.add(start);
            box.add(start + t * (end - start));
        }
        const Vec3 size = box.upper - box.lower;
        return size.x + size.y + size.z;
    };
    double whole = 0.0;
    double beginning = 0.0;
    for (std::size_t i = 0; i < edges.size(); i += stride) {
        whole += extent(edges[i], step.options.query.t_max);
        beginning += extent(edges[i], t_end);
    }
    return beginning > 0.0 ? whole / beginning : 1.0;
}

// The search for the first impact: a plan of windows [0, t_end] of the step, from which the first that
// holds an impact is taken.
class FirstSearch {
public:
    FirstSearch(const StepQuery& step, StepBoxes& boxes, Trees trees, const NearPairs* near)
        : step_(step),
          boxes_(boxes),
          trees_(trees),
          near_(near != nullptr && has_free_windows(step.options) ? near : nullptr),
          answers_(step.options) {
        if (near_ == nullptr) return;
        far_ = add_up(step_.options.query.min_separation, step_.options.query.distance_tolerance);
        for (const MovingPoint& vertex : step_.vertices)
            longest_path_ = std::max(longest_path_, path_length(vertex));
    }

    [[nodiscard]] Expected<FirstImpact> run() {
        if (!plan()) return cancelled();
        for (const Window& window : plan_) {
            if (!search(window)) return cancelled();
            if (is_done_) break;
        }
        answers_.add_work(result_.work);
        return result_;
    }

private:
    struct Window {
        double t_end = 1.0;
        // A contact at or before its end is proved, so that one at its very end may be the first.
        bool holds_contact = false;
    };

    // Real steps hit early, and boxes over a short window are small and few: where things go far, the
    // beginning of the step is searched first, and the rest only where nothing was found. A sample of
    // the pairs shortens the window.
    static constexpr double kBeginning = 0x1p-4;
    // By how much boxes over all of the step are larger than those over its beginning: from where on
    // smaller boxes are worth anything; up to where a step is so slow that what it brings together is
    // near each other already, so that its beginning is sampled first; and from where on the beginning
    // is searched with all pairs before the rest. Between them that would cost too much where it finds
    // nothing: with a search of the rest, more than all impacts do.
    static constexpr double kHardlyLarger = 1.2;
    static constexpr double kLarger = 1.5;
    static constexpr double kMuchLarger = 3.0;
    // Pairs per group of 64 boxes from which on smaller boxes are worth being fitted. Elements with a
    // common vertex make some 300 in any window.
    static constexpr std::uint64_t kManyPairs = 512;

    // False after a stop.
    [[nodiscard]] bool plan() {
        const double t_max = step_.options.query.t_max;
        const double beginning = std::min(kBeginning, t_max);
        if (near_ != nullptr) return plan_by_nearest();
        if (step_.options.candidates != nullptr) {
            plan_ = {{t_max}};  // no smaller boxes to gain from
            return true;
        }
        // What is asked up to one window of the other may be answered otherwise: always the same two.
        if (!decides_exactly(step_.options)) {
            plan_ = {{beginning}, {t_max}};
            return true;
        }
        const double growth = growth_of_boxes(step_, beginning);
        const bool is_slow = growth > kHardlyLarger && growth < kLarger;
        double sampled = is_slow || growth > kMuchLarger ? beginning : t_max;
        std::optional<double> t_end = fit_and_sample(sampled);
        if (t_end == sampled && is_slow) {
            sampled = t_max;
            t_end = fit_and_sample(sampled);
        }
        if (!t_end) return false;
        plan_ = {{*t_end, *t_end < sampled}, {t_max}};
        return true;
    }

    // With a separation that a method proves, every pair is asked for all of the step: what is first does
    // not depend on the windows (MESH-4), if boxes are enlarged by all of the tolerance.
    [[nodiscard]] static bool has_free_windows(const StepOptions& options) noexcept {
        const Guarantee& proves = options.method.guarantee;
        const CcdOptions& query = options.query;
        return proves.no_false_negatives && proves.no_false_positives && proves.proved_toi_lower &&
               proves.proved_toi_upper && query.min_separation > 0.0 &&
               query.norm == Norm::Euclidean && options.radius.empty() &&
               query.distance_tolerance <= query.min_separation;
    }

    // What is nearest at the start is the first to be too near, or not long after it. A window twice as
    // long as that takes holds every pair that begins before, for which a time width would do.
    [[nodiscard]] bool plan_by_nearest() {
        const double t_max = step_.options.query.t_max;
        const double beginning = std::min(kBeginning, t_max);
        answers_.open_window(t_max);
        if (!ask_near(step_, near_->nearest(), far_, t_max, answers_, result_.work)) return false;
        const double first = answers_.limit();
        const double end = 2.0 * first + 4.0 * step_.options.query.time_width;
        plan_ = {{first < t_max ? std::min(end, t_max) : beginning}, {t_max}};
        return true;
    }

    // Are all pairs that come near enough in [0, t_end] among those that were near at the start?
    [[nodiscard]] bool is_listed(double t_end) const noexcept {
        return near_ != nullptr && near_->has_all &&
               stays_beyond(far_, near_->reach, 2.0 * longest_path_, t_end);
    }

    // Every pair of the window, and maybe more. False after a stop.
    [[nodiscard]] bool ask_window(double t_end) {
        if (is_listed(t_end))
            return ask_near(step_, near_->pairs, far_, t_end, answers_, result_.work);
        fit(t_end);
        const Clock::time_point begin = Clock::now();
        const bool is_done = ask_pairs(step_, boxes_, answers_, result_.work);
        result_.work.seconds_search += seconds_since(begin);
        return is_done;
    }

    // The end of what has to be searched: the earliest contact of some groups up to t_end. Their pairs
    // show how many there are. Nothing after a stop.
    [[nodiscard]] std::optional<double> fit_and_sample(double t_end) {
        fit(t_end);
        const Clock::time_point begin = Clock::now();
        const auto& asked = result_.work.candidates;
        const std::uint64_t before = asked[0] + asked[1];
        answers_.open_window(t_end);
        if (!ask_sample(step_, boxes_, answers_, result_.work)) return std::nullopt;
        result_.work.seconds_search += seconds_since(begin);
        const std::uint64_t groups =
            (boxes_.edges().groups() + boxes_.vertices().groups()) / kSampleStride + 1;
        has_many_pairs_ = asked[0] + asked[1] - before > kManyPairs * groups;
        return answers_.limit();
    }

    // Boxes over [0, t_end], or longer where the difference is not worth it.
    void fit(double t_end) {
        if (step_.options.candidates != nullptr) return;
        const bool is_fitted = fitted_ >= t_end;
        if (is_fitted && (!has_many_pairs_ || 0.5 * fitted_ < t_end)) return;
        const Clock::time_point begin = Clock::now();
        const double margin = search_margin_of(step_.options);
        if (fitted_ < 0.0) {
            boxes_.set(trees_, step_.mesh, step_.vertices, t_end, step_.options.radius, margin);
        } else {
            boxes_.refit(step_.mesh, step_.vertices, t_end, step_.options.radius, margin);
        }
        fitted_ = t_end;
        result_.work.seconds_broad += seconds_since(begin);
    }

    // False after a stop.
    [[nodiscard]] bool search(const Window& window) {
        answers_.open_window(window.t_end);
        if (!ask_window(window.t_end)) return false;
        const Clock::time_point begin = Clock::now();
        const std::vector<Impact> firsts = answers_.first_ones();
        const std::optional<Winner> winner = earliest(step_, firsts);
        if (!winner) return false;
        // What lies behind the window was not asked of all pairs.
        const bool is_last = window.t_end >= step_.options.query.t_max;
        const StepVerdict verdict = verdict_of(step_, firsts, *winner);
        const bool ends_in_window = verdict.toi_upper <= window.t_end;
        const bool must_end = has_separation(step_.options) || decides_exactly(step_.options);
        const bool is_within =
            winner->impact != nullptr &&
            (is_last || (is_in(window, winner->impact->result) && (!must_end || ends_in_window)));
        is_done_ = is_last || is_within;
        if (is_done_) static_cast<StepVerdict&>(result_) = verdict;
        if (is_within) set_pair(step_, *winner->impact, result_);
        result_.work.seconds_search += seconds_since(begin);
        return true;
    }

    [[nodiscard]] bool is_in(const Window& window, const CcdResult& result) const noexcept {
        const double begin = std::get<0>(order_of(result, step_.options));
        return window.holds_contact ? begin <= window.t_end : begin < window.t_end;
    }

    const StepQuery& step_;
    StepBoxes& boxes_;
    Trees trees_;
    const NearPairs* near_;
    double far_ = 0.0;           // the separation and its tolerance
    double longest_path_ = 0.0;  // of a vertex, in all of the step
    Earliest answers_;
    std::vector<Window> plan_;
    double fitted_ = -1.0;  // the end of the window of the boxes; none yet
    bool has_many_pairs_ = true;
    bool is_done_ = false;
    FirstImpact result_;
};

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

void MeshStepper::set_backend(std::unique_ptr<StepBackend> backend) {
    state_->backend = std::move(backend);
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
                                                       const StepOptions& options, Trees trees,
                                                       const NearPairs* near) {
    return with_sound_arithmetic([&]() -> Expected<FirstImpact> {
        const Expected<void> good = check_step(topology, start, end, options);
        if (!good) return good.error();
        if (StepBackend* const other = backend_for(options))
            return other->first_impact(start, end, options);
        const auto vertices = set_vertices(start, end);
        const BoundedStep bounded(topology, vertices, options);
        StepQuery step{topology, vertices, bounded.options(), bounded.by_rest()};
        const Vec3 moves = relative_motion(vertices);
        step.relative_motion = &moves;
        auto first = in_arena(options, [&]() -> Expected<FirstImpact> {
            const Expected<void> covered = check_cover(step, id, margin_of(options));
            if (!covered) return covered.error();
            return FirstSearch(step, boxes, trees, near).run();
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
        if (StepBackend* const other = backend_for(options))
            return other->all_impacts(start, end, options);
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
