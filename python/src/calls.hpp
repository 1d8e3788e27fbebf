// Long calls: the GIL is released, Ctrl-C ends them, and exceptions of callbacks reach the caller.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

#include "graze/core/stop.hpp"

namespace graze::python {

namespace py = pybind11;

// Lives on the stack of one call, made and destroyed with the GIL held.
class Interrupt {
public:
    Interrupt() noexcept : caller_(std::this_thread::get_id()) {}
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    // True once Ctrl-C was pressed or a callback has thrown. Signals are checked by the calling
    // thread alone, every kInterval: what an ask costs is a counter.
    [[nodiscard]] StopToken token() const noexcept { return StopToken(&Interrupt::ask, this); }
    // Keeps the exception that is being handled, and ends the call. With the GIL held.
    void keep_exception() const noexcept;
    [[nodiscard]] bool is_stopped() const noexcept {
        return is_stopped_.load(std::memory_order_relaxed);
    }
    // Checks signals now, if this is the calling thread. Without the GIL.
    void poll() const noexcept;
    // Throws what ended the call, if anything did. With the GIL held.
    void rethrow() const;

private:
    static constexpr std::chrono::milliseconds kInterval{50};
    static bool ask(const void* context) noexcept;

    std::thread::id caller_;
    mutable std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    mutable std::atomic<bool> is_stopped_{false};
    mutable std::mutex mutex_;
    mutable std::exception_ptr error_;
};

// work() without the GIL; afterwards throws what ended it early.
template <class Work>
auto released(const Interrupt& interrupt, Work&& work) {
    try {
        auto result = [&] {
            const py::gil_scoped_release release;
            return work();
        }();
        interrupt.rethrow();
        return result;
    } catch (...) {
        interrupt.rethrow();
        throw;
    }
}

// For objects that keep a token for as long as they live: it asks that of the call in progress.
class CurrentStop {
public:
    CurrentStop() = default;
    CurrentStop(const CurrentStop&) = delete;
    CurrentStop& operator=(const CurrentStop&) = delete;

    [[nodiscard]] StopToken token() const noexcept { return StopToken(&CurrentStop::ask, this); }
    // work() while `interrupt` is asked; one at a time.
    template <class Work>
    auto during(const Interrupt& interrupt, const Work& work) {
        struct Reset {
            StopToken& current;
            ~Reset() { current = {}; }
        };
        const Reset reset{current_};
        current_ = interrupt.token();
        return work();
    }

private:
    static bool ask(const void* context) noexcept {
        return static_cast<const CurrentStop*>(context)->current_.stop_requested();
    }

    StopToken current_;
};

// For objects that allow one call at a time. Waits without the GIL, so that who holds it can call back
// into Python, and Ctrl-C ends the waiting; a call from within a callback of the same call is an error
// instead of a deadlock.
class OneAtATime {
public:
    class Hold {
    public:
        Hold(OneAtATime& one, const Interrupt& interrupt);
        ~Hold();
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;

    private:
        OneAtATime& one_;
    };

private:
    std::timed_mutex mutex_;
    std::atomic<std::thread::id> owner_{};
};

}  // namespace graze::python
