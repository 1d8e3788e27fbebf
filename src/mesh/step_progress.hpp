// How much of a step is searched, and whether the search is to go on.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>

#include "graze/mesh/step.hpp"

namespace graze::mesh_detail {

// Counts parts of the search that are done, and asks now and then whether to go on. A stop is final, so that
// what one thread has left out for it is never taken for done.
class Progress {
public:
    Progress(const StepOptions& options, std::size_t parts)
        : callback_(options.progress),
          stop_(options.stop),
          parts_(std::max<std::size_t>(parts, 1)) {}

    // Cheap enough to be asked before each query, if it is no call.
    [[nodiscard, gnu::always_inline]] bool is_cancelled() noexcept {
        if (cancelled_.load(std::memory_order_relaxed)) return true;
        if (!stop_.stop_requested()) return false;
        cancelled_.store(true);
        return true;
    }
    void add(std::size_t parts) {
        const std::size_t done = done_.fetch_add(parts) + parts;
        if (!callback_) return;
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock) return;
        const double fraction = static_cast<double>(done) / static_cast<double>(parts_);
        if (!callback_(std::min(fraction, 1.0))) cancelled_.store(true);
    }

private:
    const std::function<bool(double)>& callback_;
    StopToken stop_;
    std::size_t parts_;
    std::atomic<std::size_t> done_ = 0;
    std::atomic<bool> cancelled_ = false;
    std::mutex mutex_;
};

}  // namespace graze::mesh_detail
