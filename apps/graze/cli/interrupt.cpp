#include "interrupt.hpp"

#include <atomic>
#include <csignal>

#include "graze/io/atomic_file.hpp"

namespace graze::app {
namespace {

// A handler can reach nothing but a global.
std::atomic<int> caught_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not lock");

// The second signal has its default action: a way out of a query that takes forever. It is blocked
// until the handler returns, and kills then. A second SIGHUP does nothing: a terminal that goes away
// may send two at once, from the shell and from the kernel. All that is called here is safe within a
// handler.
extern "C" void remember_signal(int signal) {
    int none = 0;
    if (caught_signal.compare_exchange_strong(none, signal)) return;
    if (signal == SIGHUP) return;
    io::remove_part_files();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

}  // namespace

void watch_signals() {
    struct sigaction action = {};
    action.sa_handler = remember_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = static_cast<int>(SA_RESTART);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    // nohup has it ignored.
    struct sigaction before = {};
    if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

int stop_signal() noexcept {
    return caught_signal.load(std::memory_order_relaxed);
}

StopToken stop_token() noexcept {
    return StopToken([](const void*) noexcept { return stop_requested(); });
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

}  // namespace graze::app
