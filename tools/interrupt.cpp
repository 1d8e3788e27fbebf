#include "interrupt.hpp"

#include <atomic>
#include <csignal>

namespace graze::tools {
namespace {

// A handler can reach nothing but a global.
std::atomic<int> caught_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not lock");

extern "C" void remember_signal(int signal) {
    caught_signal.store(signal);
}

}  // namespace

void watch_signals() {
    struct sigaction action = {};
    action.sa_handler = remember_signal;
    sigemptyset(&action.sa_mask);
    // A second signal has its default action: a way out of a query that takes forever.
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

int stop_signal() noexcept {
    return caught_signal.load(std::memory_order_relaxed);
}

void request_stop_for_broken_pipe() noexcept {
    caught_signal.store(SIGPIPE);
}

Error stopped() {
    return Error{"stopped by a signal"};
}

void die_of_stop_signal() {
    const int signal = stop_signal();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

}  // namespace graze::tools
