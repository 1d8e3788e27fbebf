// MeshStepper::stream_impacts(): impacts leave the search while it goes on.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>

#include "graze/mesh/step.hpp"
#include "mesh/bounded_step.hpp"
#include "mesh/candidate_pairs.hpp"
#include "mesh/pair_search.hpp"
#include "mesh/proved_bracket.hpp"
#include "mesh/step_check.hpp"
#include "mesh/stepper_state.hpp"
#include "mesh/threads.hpp"
#include "mesh/with_positions.hpp"

namespace graze {
using namespace mesh_detail;
namespace {

constexpr std::size_t kImpactsPerBatch = 256;

// How long a thread waits for its turn, for each batch that it has and in all, before it goes on with the
// search: what is in the sink may wait for this very thread, where that took the task while it waited for
// something else. While a sink takes a time T, another thread so finds some T / kMostPatience batches; and
// where the sink waits for that thread, each batch of the search takes no longer than that.
constexpr std::chrono::milliseconds kPatience{10};
constexpr std::chrono::milliseconds kMostPatience{50};

// A stop that the sink asks for, or whoever asked before.
class SinkStop {
public:
    explicit SinkStop(StopToken given) noexcept : given_(given) {}
    [[nodiscard]] StopToken token() const noexcept {
        return StopToken(
            [](const void* context) noexcept {
                const auto& own = *static_cast<const SinkStop*>(context);
                return own.is_asked_.load(std::memory_order_relaxed) || own.given_.stop_requested();
            },
            this);
    }
    void ask() noexcept { is_asked_.store(true); }
    [[nodiscard]] bool is_asked() const noexcept { return is_asked_.load(); }

private:
    StopToken given_;
    std::atomic<bool> is_asked_ = false;
};

// A sink that this thread is in, and the one that it was in before: while a sink waits for others,
// its thread may take tasks of any search.
struct Turn {
    const void* delivery;
    const Turn* before;
};
thread_local const Turn* current_turn = nullptr;

// One batch at a time to the sink. After a false or an exception nothing more reaches it.
class BatchDelivery {
public:
    BatchDelivery(const ImpactSink& sink, SinkStop& stop, const StepOptions& options)
        : sink_(sink), stop_(stop), options_(options), arena_(options) {}

    // Leaves the batch as it is, for a later call, where the turn does not come: at once on a thread
    // that is in this sink, or in another one that the turn may be waiting for.
    void offer(std::vector<Impact>& batch) noexcept {
        for (const Turn* turn = current_turn; turn != nullptr; turn = turn->before)
            if (turn->delivery == this) return;
        const auto batches = static_cast<std::int64_t>(batch.size() / kImpactsPerBatch);
        const auto patience =
            std::min<std::chrono::milliseconds>(batches * kPatience, kMostPatience);
        if (!take_turn(current_turn == nullptr ? patience : kPatience.zero())) return;
        deliver(batch);
        end_turn();
    }
    // Requires: nobody else is in the sink, or comes to it. Throws nothing: an exception in a task of
    // an executor has nobody to catch it. What this thread finds while the sink waits is a new batch.
    void deliver(std::vector<Impact>& batch) noexcept {
        std::vector<Impact> taken;
        taken.swap(batch);
        if (stop_.is_asked() || taken.empty()) return;
        for (const Impact& impact : taken)
            add(impact);
        try {
            arena_.run([&] { call(taken); });
        } catch (...) {
            exception_ = std::current_exception();
            stop_.ask();
        }
        // Its room serves the next one.
        if (batch.empty()) {
            taken.clear();
            batch.swap(taken);
        }
    }
    void rethrow() const {
        if (exception_) std::rethrow_exception(exception_);
    }
    // Requires: every batch was delivered.
    [[nodiscard]] StreamedImpacts summary() const {
        StreamedImpacts result;
        result.count = count_;
        const bool is_proved = options_.method.guarantee.no_false_negatives;
        result.toi_lower = count_ > 0 ? lower_ : is_proved ? kInfinity : 0.0;
        result.toi_upper = upper_;
        if (has_contact_) {
            result.verdict = Verdict::Contact;
        } else if (result.toi_lower == kInfinity) {
            result.verdict = Verdict::Separated;
        }
        return result;
    }

private:
    bool take_turn(std::chrono::milliseconds patience) noexcept {
        std::unique_lock lock(mutex_);
        if (!is_free_.wait_for(lock, patience, [this] { return !is_in_sink_; })) return false;
        is_in_sink_ = true;
        return true;
    }
    void end_turn() noexcept {
        {
            const std::lock_guard lock(mutex_);
            is_in_sink_ = false;
        }
        is_free_.notify_one();
    }
    void call(std::span<const Impact> taken) {
        struct Scope {
            explicit Scope(const void* delivery) : turn{delivery, current_turn} {
                current_turn = &turn;
            }
            Scope(const Scope&) = delete;
            Scope& operator=(const Scope&) = delete;
            ~Scope() { current_turn = turn.before; }
            Turn turn;
        };
        const Scope scope(this);
        if (!sink_(taken)) stop_.ask();
    }
    void add(const Impact& impact) noexcept {
        const ProvedBracket proved = proved_bracket(impact.result, options_);
        lower_ = std::min(lower_, proved.lower);
        upper_ = std::min(upper_, proved.upper);
        has_contact_ |= impact.result.verdict == Verdict::Contact;
        ++count_;
    }

    const ImpactSink& sink_;
    SinkStop& stop_;
    const StepOptions& options_;
    CallbackArena arena_;
    std::mutex mutex_;
    std::condition_variable is_free_;
    bool is_in_sink_ = false;
    std::exception_ptr exception_;
    std::uint64_t count_ = 0;
    double lower_ = kInfinity;
    double upper_ = kInfinity;
    bool has_contact_ = false;
};

// Everything that is not Separated, in batches by thread.
class Batches {
public:
    struct Local : AsksMethod<Local> {
        Local(BatchDelivery& to, double t_max) : delivery(&to), limit(t_max) {}
        BatchDelivery* delivery;
        double limit;
        std::vector<Impact> batch;
        std::size_t due = kImpactsPerBatch;  // the size that is offered next
        [[nodiscard]] double t_max() const noexcept { return limit; }
        void add(const Impact& impact) {
            batch.push_back(impact);
            if (batch.size() < due) return;
            delivery->offer(batch);
            due = batch.size() + kImpactsPerBatch;
        }
    };

    Batches(BatchDelivery& delivery, double t_max)
        : locals_([&delivery, t_max] { return Local(delivery, t_max); }) {}
    [[nodiscard]] Local& local() { return locals_.local(); }
    // Requires: no task of the search is at work.
    void deliver_rest() {
        for (Local& local : locals_)
            local.delivery->deliver(local.batch);
    }
    void add_work(StepWork& work) const { add_tiers(locals_, work); }

private:
    PerThread<Local> locals_;
};

Expected<StreamedImpacts> stream_all(const StepQuery& step, StepBoxes& boxes,
                                     BatchDelivery& delivery) {
    if (step.options.candidates == nullptr) {
        boxes.set(Trees::Build, step.mesh, step.vertices, step.options.query.t_max,
                  step.options.radius, search_margin_of(step.options));
    }
    Batches batches(delivery, step.options.query.t_max);
    StepWork work;
    const bool is_done = ask_pairs(step, boxes, batches, work);
    if (is_done) batches.deliver_rest();
    // The last batch may be the one that the sink does not take.
    if (!is_done || step.options.stop.stop_requested())
        return Error{"cancelled", ErrorCode::Cancelled};
    StreamedImpacts result = delivery.summary();
    batches.add_work(work);
    result.work = work;
    return result;
}

}  // namespace

Expected<StreamedImpacts> MeshStepper::stream_impacts(const Positions& start, const Positions& end,
                                                      const ImpactSink& sink,
                                                      const StepOptions& options) {
    const auto stream = [&](std::span<const Vec3> from,
                            std::span<const Vec3> to) -> Expected<StreamedImpacts> {
        const MeshTopology& mesh = state_->topology;
        if (!sink) return Error{"stream_impacts() needs a sink", ErrorCode::InvalidInput};
        if (const auto good = check_step(mesh, from, to, options); !good) return good.error();
        SinkStop stop(options.stop);
        StepOptions own = options;
        own.stop = stop.token();
        const auto vertices = state_->set_vertices(from, to);
        const BoundedStep bounded(mesh, vertices, own);
        const StepQuery step{mesh, vertices, bounded.options(), bounded.by_rest()};
        BatchDelivery delivery(sink, stop, step.options);
        auto result = in_arena(own, [&]() -> Expected<StreamedImpacts> {
            const Expected<void> covered = check_cover(step, state_->id, margin_of(own));
            if (!covered) return covered.error();
            return stream_all(step, state_->boxes, delivery);
        });
        delivery.rethrow();
        if (result) result->bounds = bounded.used();
        return result;
    };
    return with_positions(stream, start, end);
}

}  // namespace graze
