// Threads of the library's verification that obey signals and move a progress bar.
#pragma once

#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "graze/verify/parallel.hpp"

namespace graze::app {

[[nodiscard]] inline verify::Workers workers(unsigned threads, Progress* progress = nullptr) {
    verify::Workers made{.threads = threads, .stop = stop_token()};
    if (progress != nullptr) {
        made.done = [progress](std::uint64_t count) { progress->advance(count); };
    }
    return made;
}

}  // namespace graze::app
