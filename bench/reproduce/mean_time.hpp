// Mean time of queries, for items that compare methods.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <vector>

#include "graze/narrow/ccd.hpp"

namespace graze::app {

// Mean nanoseconds of this process per motion, the least of some passes over all of them.
template <class Motion, class Ask>
double mean_ns(const std::vector<Motion>& motions, int passes, const Ask& ask) {
    double least = kInfinity;
    std::uint64_t contacts = 0;
    for (int pass = 0; pass < passes; ++pass) {
        const std::clock_t begin = std::clock();
        for (const Motion& motion : motions)
            contacts += ask(motion).verdict == Verdict::Contact ? 1 : 0;
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        least = std::min(least, 1e9 * seconds / static_cast<double>(motions.size()));
    }
    // Answers are used.
    return contacts > motions.size() * static_cast<std::uint64_t>(passes) ? 0.0 : least;
}

}  // namespace graze::app
