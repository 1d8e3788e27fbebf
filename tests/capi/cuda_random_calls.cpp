#include "capi/cuda_random_calls.hpp"

#include <graze_cuda.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "capi/dice.hpp"

namespace graze::capi_test {
namespace {

// A stepper, and what belongs to it. The numbers of host impacts are those of its last call.
struct Stepper {
    graze_cuda_stepper* handle = nullptr;
    std::uint64_t vertices = 0;
    std::uint64_t host_count = 0;
};

class CudaCaller {
public:
    explicit CudaCaller(const Dice& dice) : dice_(dice) {}
    ~CudaCaller() {
        for (const Stepper& stepper : steppers_)
            graze_cuda_destroy(stepper.handle);
    }
    CudaCaller(const CudaCaller&) = delete;
    CudaCaller& operator=(const CudaCaller&) = delete;

    void call() {
        claims_ = false;
        if (steppers_.empty() && dice_.one_in(2)) return count(create());
        switch (dice_.below(6)) {
            case 0:
                return count(create());
            case 1:
                return destroy();
            case 2:
                return count(graze_cuda_wait(dice_.one_in(3) ? 1 + dice_.below(9) : 0));
            case 3:
                return count(first_impact());
            case 4:
                return count(host_impacts());
            default:
                return count(all_impacts());
        }
    }
    bool is_done() const { return dice_.is_used_up(); }
    const CudaCallCounts& counts() const { return counts_; }

private:
    void violation(const std::string& text) {
        if (counts_.violations++ == 0) counts_.first_violation = text;
    }
    void count(graze_cuda_status status) {
        const std::string text = graze_cuda_last_error();
        const bool is_known = status >= GRAZE_CUDA_OK && status < GRAZE_CUDA_INTERNAL;
        if (!is_known) violation("status " + std::to_string(status) + ": " + text);
        if ((status == GRAZE_CUDA_OK) != text.empty()) violation("a text, or none: " + text);
        if (status != GRAZE_CUDA_OK && claims_) violation("a claim beside an error: " + text);
        if (graze_cuda_last_error_index() < -1) violation("no index");
        if (is_known) ++counts_.by_status[static_cast<std::size_t>(status)];
    }

    template <class T>
    T* or_null(T* right) {
        return dice_.wrong() ? nullptr : right;
    }
    // No check can find a count that is too large by a little.
    std::uint64_t too_many_or(std::uint64_t right) {
        return dice_.wrong() ? ~std::uint64_t{0} - dice_.below(3) : right;
    }
    std::vector<std::uint32_t> indices(std::uint64_t count, std::uint64_t vertices) {
        std::vector<std::uint32_t> values(count);
        for (std::uint32_t& i : values)
            i = static_cast<std::uint32_t>(dice_.below(vertices + (dice_.one_in(200) ? 3 : 0)));
        return values;
    }

    graze_cuda_status create() {
        if (steppers_.size() > 4) destroy();
        const std::uint64_t vertices = 3 + dice_.below(8);
        const auto faces = indices(3 * dice_.below(6), vertices);
        const auto edges = indices(2 * dice_.below(4), vertices);
        graze_cuda_stepper* stepper = nullptr;
        graze_cuda_stepper** const out = or_null(&stepper);
        const graze_cuda_status status = graze_cuda_create(
            too_many_or(vertices), or_null(faces.data()), too_many_or(faces.size() / 3),
            or_null(edges.data()), too_many_or(edges.size() / 2), dice_.wrong() ? 7 : 0,
            dice_.one_in(3) ? dice_.bits() : 0, out);
        claims_ = stepper != nullptr;
        if (stepper != nullptr) steppers_.push_back({stepper, vertices, 0});
        return status;
    }
    void destroy() {
        if (steppers_.empty() || dice_.wrong()) return graze_cuda_destroy(nullptr);
        const auto at = static_cast<std::ptrdiff_t>(dice_.below(steppers_.size()));
        graze_cuda_destroy(steppers_[static_cast<std::size_t>(at)].handle);
        steppers_.erase(steppers_.begin() + at);
    }
    Stepper* pick() {
        return steppers_.empty() || dice_.wrong() ? nullptr
                                                  : &steppers_[dice_.below(steppers_.size())];
    }
    std::vector<double> positions(std::uint64_t vertices) {
        std::vector<double> values(3 * vertices);
        for (double& x : values)
            x = dice_.one_in(400) ? dice_.odd_number() : dice_.coordinate();
        return values;
    }
    graze_cuda_options options() {
        graze_cuda_options options{};
        graze_cuda_options_init(or_null(&options));
        if (options.size == 0) return options;
        options.min_separation = dice_.number(dice_.one_in(3) ? 0.125 : 0.0);
        options.t_max = dice_.number(1.0);
        options.time_width = dice_.number(1e-9);
        options.max_norm = static_cast<std::int32_t>(dice_.below(2));
        if (dice_.wrong()) options.reserved = 1;
        if (dice_.wrong()) options.size = dice_.below(2 * sizeof options);
        return options;
    }

    struct Step {
        std::vector<double> start;
        std::vector<double> end;
        graze_cuda_options options{};
        std::uint64_t vertices = 0;
    };
    Step step(const Stepper* stepper) {
        const std::uint64_t vertices = stepper != nullptr ? stepper->vertices : 4;
        Step made{positions(vertices), positions(vertices), options(), vertices};
        if (dice_.wrong()) made.vertices = dice_.wrong_count(vertices);
        return made;
    }
    void see(const graze_cuda_verdict& verdict) {
        if (verdict.verdict != 2 || verdict.toi_lower > 0.0) claims_ = true;
        if (verdict.verdict == 1) ++counts_.contacts;
        if (verdict.verdict < 0 || verdict.verdict > 2) violation("a verdict that there is not");
        // A pair that stays unresolved may be first without a contact.
        if (verdict.verdict == 1 && verdict.has_first == 0) violation("a contact of no pair");
        if (verdict.verdict == 0 && verdict.has_first != 0) violation("a pair that is separated");
    }

    graze_cuda_status first_impact() {
        Stepper* const stepper = pick();
        const Step asked = step(stepper);
        graze_cuda_verdict verdict{};
        graze_cuda_verdict* const out = or_null(&verdict);
        const graze_cuda_status status = graze_cuda_first_impact(
            stepper != nullptr ? stepper->handle : nullptr, or_null(asked.start.data()),
            or_null(asked.end.data()), asked.vertices, dice_.one_in(4) ? nullptr : &asked.options,
            out);
        if (out != nullptr) see(verdict);
        return status;
    }
    graze_cuda_status all_impacts() {
        Stepper* const stepper = pick();
        const Step asked = step(stepper);
        graze_cuda_impacts impacts{};
        graze_cuda_impacts* const out = or_null(&impacts);
        const graze_cuda_status status =
            graze_cuda_all_impacts(stepper != nullptr ? stepper->handle : nullptr,
                                   or_null(asked.start.data()), or_null(asked.end.data()),
                                   asked.vertices, dice_.one_in(4) ? nullptr : &asked.options, out);
        if (out == nullptr) return status;
        see(impacts.verdict);
        for (const std::uint64_t found : impacts.counts)
            claims_ = claims_ || found > 0;
        if (stepper != nullptr && status == GRAZE_CUDA_OK) stepper->host_count = impacts.host_count;
        return status;
    }
    graze_cuda_status host_impacts() {
        const Stepper* const stepper = pick();
        const std::uint64_t right = stepper != nullptr ? stepper->host_count : 2;
        const std::uint64_t capacity = right > 0 && dice_.wrong() ? right - 1 : right;
        std::vector<graze_cuda_host_impact> impacts(capacity);
        const graze_cuda_status status = graze_cuda_host_impacts(
            stepper != nullptr ? stepper->handle : nullptr, or_null(impacts.data()), capacity);
        if (status == GRAZE_CUDA_OK) counts_.host_impacts += capacity;
        return status;
    }

    Dice dice_;
    CudaCallCounts counts_;
    std::vector<Stepper> steppers_;
    bool claims_ = false;  // the output holds what is only right beside GRAZE_CUDA_OK
};

}  // namespace

CudaCallCounts call_cuda_at_random(std::uint64_t calls, std::uint64_t seed) {
    CudaCaller caller{Dice(seed)};
    for (std::uint64_t i = 0; i < calls; ++i)
        caller.call();
    return caller.counts();
}

CudaCallCounts call_cuda_by_bytes(std::span<const std::uint8_t> bytes) {
    CudaCaller caller{Dice(bytes)};
    while (!caller.is_done())
        caller.call();
    return caller.counts();
}

}  // namespace graze::capi_test
