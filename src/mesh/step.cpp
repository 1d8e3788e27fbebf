#include "graze/mesh/step.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "mesh/pair_queries.hpp"

namespace graze {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

bool comes_before(const Impact& a, const Impact& b) noexcept {
    return std::tuple(a.kind, a.a, a.b) < std::tuple(b.kind, b.a, b.b);
}

// --- What is asked -------------------------------------------------------------------------------

template <class T>
Expected<void> check_size(std::span<const T> values, std::size_t vertex_count, const char* what) {
    if (values.empty() || values.size() == vertex_count) return {};
    return Error{std::string(what) + ": " + std::to_string(values.size()) + " values for " +
                 std::to_string(vertex_count) + " vertices"};
}

Expected<void> check_positions(std::span<const Vec3> positions, std::size_t vertex_count,
                               const char* which) {
    if (positions.size() != vertex_count) {
        return Error{std::string(which) + " has " + std::to_string(positions.size()) +
                     " positions for " + std::to_string(vertex_count) + " vertices"};
    }
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (!is_finite(positions[i])) {
            return Error{std::string(which) + ": the position of vertex " + std::to_string(i) +
                         " is not finite"};
        }
    }
    return {};
}

Expected<void> check_radii(std::span<const double> radius) {
    for (std::size_t i = 0; i < radius.size(); ++i) {
        if (!(radius[i] >= 0.0) || !is_finite(radius[i])) {
            return Error{"the radius of vertex " + std::to_string(i) +
                         " is not a finite number >= 0"};
        }
    }
    return {};
}

template <class Motion>
bool lacks(const Method& method) {
    return function_of<Motion>(method) == nullptr;
}

Expected<void> check_method(const StepOptions& options, bool has_points) {
    const Method& method = options.method;
    if (lacks<VertexFaceMotion>(method) || lacks<EdgeEdgeMotion>(method) ||
        (has_points && (lacks<VertexVertexMotion>(method) || lacks<VertexEdgeMotion>(method)))) {
        return Error{"the method " + std::string(method.name) +
                     " does not answer every kind of query that the mesh has"};
    }
    if (!is_valid(options.query)) return Error{"an option of the query is out of its range"};
    CcdOptions query = options.query;
    if (!options.radius.empty() && query.min_separation == 0.0) query.min_separation = 1.0;
    if (!supports(method, query)) {
        return Error{"the method " + std::string(method.name) + " has no such minimum separation"};
    }
    if (fp_environment() != FpEnvironment::Sound)
        return Error{
            "the arithmetic of this thread does not round to nearest, or flushes subnormals"};
    return {};
}

Expected<void> check(const MeshTopology& mesh, std::span<const Vec3> start,
                     std::span<const Vec3> end, const StepOptions& options) {
    const std::size_t count = mesh.vertex_count;
    const PairFilter& filter = options.filter;
    if (const auto good = check_positions(start, count, "start"); !good) return good;
    if (const auto good = check_positions(end, count, "end"); !good) return good;
    if (const auto good = check_size(options.radius, count, "radius"); !good) return good;
    if (const auto good = check_size(filter.body, count, "filter.body"); !good) return good;
    if (const auto good = check_size(filter.fixed, count, "filter.fixed"); !good) return good;
    if (const auto good = check_size(filter.layers, count, "filter.layers"); !good) return good;
    if (filter.layers.size() != filter.mask.size())
        return Error{"filter.layers and filter.mask go together"};
    if (const auto good = check_radii(options.radius); !good) return good;
    return check_method(options, !mesh.points.empty());
}

// --- Progress ------------------------------------------------------------------------------------

// Counts blocks that are done, and asks now and then whether to go on.
class Progress {
public:
    Progress(const StepOptions& options, std::size_t blocks)
        : callback_(options.progress), blocks_(std::max<std::size_t>(blocks, 1)) {}

    [[nodiscard]] bool is_cancelled() const noexcept { return cancelled_.load(); }
    void add(std::size_t blocks) {
        const std::size_t done = done_.fetch_add(blocks) + blocks;
        if (!callback_) return;
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock) return;
        const double share = static_cast<double>(done) / static_cast<double>(blocks_);
        if (!callback_(std::min(share, 1.0))) cancelled_.store(true);
    }

private:
    const std::function<bool(double)>& callback_;
    std::size_t blocks_;
    std::atomic<std::size_t> done_ = 0;
    std::atomic<bool> cancelled_ = false;
    std::mutex mutex_;
};

// --- Searching -----------------------------------------------------------------------------------

constexpr std::size_t kBlocksAtATime = 16;

// Every pair of two trees, or of one with itself where `other` is null: queries of one kind.
template <class Motion, class Answers>
class TreeQueries {
public:
    TreeQueries(const StepQuery& step, Answers& answers, Progress& progress)
        : queries_([&step, &answers] {
              return PairQueries<Motion, typename Answers::Local>(step, answers.local());
          }),
          progress_(progress) {}

    void run(const BoxTree& tree, const BoxTree* other,
             std::span<const std::uint32_t> first_names = {},
             std::span<const std::uint32_t> second_names = {}) {
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, tree.blocks(), kBlocksAtATime),
                          [&](const tbb::blocked_range<std::size_t>& range) {
                              auto& queries = queries_.local();
                              queries.first_names = first_names;
                              queries.second_names = second_names;
                              for (std::size_t block = range.begin(); block < range.end();
                                   ++block) {
                                  if (progress_.is_cancelled()) return;
                                  if (other == nullptr) {
                                      tree.search_self(block, queries);
                                  } else {
                                      tree.search(block, *other, queries);
                                  }
                              }
                              progress_.add(range.size());
                          });
    }

    [[nodiscard]] std::uint64_t candidates() const {
        std::uint64_t sum = 0;
        for (const auto& queries : queries_)
            sum += queries.candidates();
        return sum;
    }

private:
    tbb::enumerable_thread_specific<PairQueries<Motion, typename Answers::Local>> queries_;
    Progress& progress_;
};

std::size_t kind_index(QueryKind kind) noexcept {
    return static_cast<std::size_t>(kind);
}

template <class Motion, class Answers, class... Arguments>
void ask_kind(const StepQuery& step, Answers& answers, Progress& progress, StepWork& work,
              const Arguments&... arguments) {
    TreeQueries<Motion, Answers> queries(step, answers, progress);
    queries.run(arguments...);
    work.candidates[kind_index(Motion::kKind)] += queries.candidates();
}

// Edges first: they have the most pairs, and find the first impact more often than not.
template <class Answers>
bool ask_all(const StepQuery& step, const StepBoxes& boxes, Answers& answers, StepWork& work) {
    Progress progress(step.options, boxes.edges().blocks() + boxes.vertices().blocks());
    const std::span<const std::uint32_t> points = step.mesh.points;
    ask_kind<EdgeEdgeMotion>(step, answers, progress, work, boxes.edges(), nullptr);
    ask_kind<VertexFaceMotion>(step, answers, progress, work, boxes.vertices(), &boxes.faces());
    if (!points.empty()) {
        ask_kind<VertexVertexMotion>(step, answers, progress, work, boxes.points(), nullptr, points,
                                     points);
        ask_kind<VertexEdgeMotion>(step, answers, progress, work, boxes.points(), &boxes.edges(),
                                   points);
    }
    return !progress.is_cancelled();
}

// --- Answers -------------------------------------------------------------------------------------

// Everything that is not Separated.
class Everything {
public:
    struct Local {
        double limit;
        std::vector<Impact> impacts;
        [[nodiscard]] double t_max() const noexcept { return limit; }
        void add(const Impact& impact) { impacts.push_back(impact); }
    };

    explicit Everything(double t_max) : locals_(Local{t_max, {}}) {}
    [[nodiscard]] Local& local() { return locals_.local(); }
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
    class Local {
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
    // Looks no further than the end of the window.
    void set_window(double t_end) { limit_.store(std::min(limit_.load(), t_end)); }
    void open_window(double t_max) { limit_.store(t_max); }
    [[nodiscard]] double limit() const { return limit_.load(); }
    // Those that no other precedes for certain: none ends before they begin.
    [[nodiscard]] std::vector<Impact> first_ones() const {
        std::vector<Impact> all;
        double end = kInfinity;
        for (const Local& local : locals_) {
            all.insert(all.end(), local.impacts.begin(), local.impacts.end());
            for (const Impact& impact : local.impacts)
                end = std::min(end, impact.result.toi_upper);
        }
        std::erase_if(all, [end](const Impact& i) { return i.result.toi_lower > end; });
        std::sort(all.begin(), all.end(), comes_before);
        return all;
    }

private:
    std::atomic<double> limit_;
    tbb::enumerable_thread_specific<Local> locals_;
};

}  // namespace

// --- The stepper ---------------------------------------------------------------------------------

class MeshStepper::State {
public:
    explicit State(MeshTopology mesh) : topology(std::move(mesh)) {}

    [[nodiscard]] Expected<FirstImpact> first_impact(const StepQuery& step);
    [[nodiscard]] Expected<AllImpacts> all_impacts(const StepQuery& step);

    // Start and end of each vertex side by side, as queries want them.
    [[nodiscard]] std::span<const MovingPoint> set_corners(std::span<const Vec3> start,
                                                           std::span<const Vec3> end) {
        corners_.resize(start.size());
        for (std::size_t i = 0; i < start.size(); ++i)
            corners_[i] = {start[i], end[i]};
        return corners_;
    }

    MeshTopology topology;

private:
    std::vector<MovingPoint> corners_;
    StepBoxes boxes_;
};

namespace {

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
Impact earliest(const StepQuery& step, const std::vector<Impact>& impacts) {
    if (impacts.size() == 1) return impacts.front();
    CcdOptions sharp = step.options.query;
    sharp.time_width = 0x1p-1074;
    const Impact* first = nullptr;
    CcdResult best;
    for (const Impact& impact : impacts) {  // in the order of kind, a, b
        const CcdResult result = asked_again(step, impact, sharp);
        const bool is_first = first == nullptr || std::tuple(result.toi_lower, result.toi_upper) <
                                                      std::tuple(best.toi_lower, best.toi_upper);
        if (!is_first) continue;
        first = &impact;
        best = result;
    }
    return *first;
}

template <class Body>
auto in_arena(int threads, const Body& body) {
    tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
    return arena.execute(body);
}

}  // namespace

// Real steps hit early, and boxes over a short window are small and few: the beginning of the step
// is looked at first, and the rest only where nothing was found.
Expected<FirstImpact> MeshStepper::State::first_impact(const StepQuery& step) {
    constexpr std::array<double, 3> kWindows = {0x1p-7, 0x1p-3, 1.0};
    const double t_max = step.options.query.t_max;
    Earliest answers(t_max);
    FirstImpact result;
    bool is_built = false;
    for (const double window : kWindows) {
        const double t_end = std::min(window, t_max);
        const Clock::time_point begin = Clock::now();
        const double margin = margin_of(step.options);
        if (is_built) {
            boxes_.refit(topology, step.corners, t_end, step.options.radius, margin);
        } else {
            boxes_.build(topology, step.corners, t_end, step.options.radius, margin);
        }
        is_built = true;
        result.work.seconds_broad += seconds_since(begin);
        const Clock::time_point search = Clock::now();
        answers.open_window(t_end);
        if (!ask_all(step, boxes_, answers, result.work)) return Error{"cancelled"};
        result.work.seconds_search += seconds_since(search);
        const std::vector<Impact> firsts = answers.first_ones();
        if (!firsts.empty()) {
            for (const Impact& impact : firsts)
                result.toi_lower = std::min(result.toi_lower, impact.result.toi_lower);
            result.impact = earliest(step, firsts);
            return result;
        }
        if (t_end >= t_max) break;
    }
    return result;
}

Expected<AllImpacts> MeshStepper::State::all_impacts(const StepQuery& step) {
    AllImpacts result;
    const Clock::time_point begin = Clock::now();
    boxes_.build(topology, step.corners, step.options.query.t_max, step.options.radius,
                 margin_of(step.options));
    result.work.seconds_broad = seconds_since(begin);
    const Clock::time_point search = Clock::now();
    Everything answers(step.options.query.t_max);
    if (!ask_all(step, boxes_, answers, result.work)) return Error{"cancelled"};
    result.impacts = answers.sorted();
    result.work.seconds_search = seconds_since(search);
    return result;
}

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
    return in_arena(options.threads, [&] { return state_->first_impact(step); });
}

Expected<AllImpacts> MeshStepper::all_impacts(std::span<const Vec3> start,
                                              std::span<const Vec3> end,
                                              const StepOptions& options) {
    const Expected<void> good = check(state_->topology, start, end, options);
    if (!good) return good.error();
    const StepQuery step{state_->topology, state_->set_corners(start, end), options};
    return in_arena(options.threads, [&] { return state_->all_impacts(step); });
}

}  // namespace graze
