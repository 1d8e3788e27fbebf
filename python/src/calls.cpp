#include "calls.hpp"

#include <stdexcept>

namespace graze::python {

void Interrupt::keep_exception() const noexcept {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    is_stopped_ = true;
}

void Interrupt::poll() const noexcept {
    if (std::this_thread::get_id() != caller_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < kInterval) return;
    const py::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) {
        try {
            throw py::error_already_set();
        } catch (...) {
            keep_exception();
        }
    }
    last_ = std::chrono::steady_clock::now();
}

bool Interrupt::ask(const void* context) noexcept {
    // Some askers ask for every pair, a few nanoseconds each: the clock is read once in 32 asks.
    // initial-exec: one instruction; four bytes are always there.
    [[gnu::tls_model("initial-exec")]] static thread_local unsigned asks = 0;
    const auto* interrupt = static_cast<const Interrupt*>(context);
    if ((++asks & 31U) == 0) interrupt->poll();
    return interrupt->is_stopped();
}

void Interrupt::rethrow() const {
    if (!is_stopped()) return;
    std::exception_ptr error;
    {
        const std::lock_guard lock(mutex_);
        error = error_;
    }
    if (error) std::rethrow_exception(error);
}

OneAtATime::Hold::Hold(OneAtATime& one, const Interrupt& interrupt) : one_(one) {
    if (one.owner_.load() == std::this_thread::get_id())
        throw std::runtime_error(
            "this object is in use by the call that this one is made from: make another object");
    while (!one.mutex_.try_lock_for(std::chrono::milliseconds(60))) {
        interrupt.poll();
        if (interrupt.is_stopped()) throw std::runtime_error("interrupted");
    }
    one.owner_ = std::this_thread::get_id();
}

OneAtATime::Hold::~Hold() {
    one_.owner_ = std::thread::id{};
    one_.mutex_.unlock();
}

}  // namespace graze::python
