// Queries for the page of the viewer.
#pragma once

#include <string>

#include "cli/query_input.hpp"
#include "graze/narrow/method.hpp"
#include "pictures/view_document.hpp"

namespace graze::app {

struct QueryViewOptions {
    CcdOptions options;
    unsigned threads = 1;
    TruthUse truth;
};

// The first queries of an input, at most kMostViewedQueries, with the answers of all methods to the first
// of them, at most kMostAnsweredQueries. Errors of the input.
inline constexpr std::size_t kMostViewedQueries = 100'000;
inline constexpr std::size_t kMostAnsweredQueries = 200;
[[nodiscard]] Expected<ViewObject> query_view(const QueryInput& input,
                                              const QueryViewOptions& options);

}  // namespace graze::app
