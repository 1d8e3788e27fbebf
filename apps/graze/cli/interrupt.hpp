// Signals as values: work stops at the next query, destructors clean up, then the process dies of
// the signal as a shell expects.
#pragma once

#include "graze/core/expected.hpp"
#include "graze/core/stop.hpp"

namespace graze::app {

// From here on the first SIGINT, SIGTERM or SIGHUP only asks the work to stop; a second one, other
// than SIGHUP, kills, once the files that are half written are removed. SIGHUP stays ignored where it
// was (nohup). SIGPIPE and SIGXFSZ become a failed write.
void watch_signals();

// The signal that asks the work to stop; 0 if there is none.
[[nodiscard]] int stop_signal() noexcept;
[[nodiscard]] inline bool stop_requested() noexcept {
    return stop_signal() != 0;
}

// The same for searches of the library.
[[nodiscard]] StopToken stop_token() noexcept;

// The reader of standard output has gone: stops the work as SIGPIPE would.
void request_stop_for_broken_pipe() noexcept;

// What unwinding functions return after a stop; main() prints nothing for it.
[[nodiscard]] Error stopped();

// Ends the process by the default action of the signal that asked for the stop.
// Requires: stop_requested().
void die_of_stop_signal();

}  // namespace graze::app
