// The same for a caller that has no exact answer at the tolerance: everything else is judged.
#pragma once

#include <optional>
#include <string_view>

#include "../../tools/promise.hpp"

namespace graze::testing {

// The first promise that `found` breaks, or nothing; a tolerance is believed as long as it is a
// number >= 0. `truth` is the exact answer for the same query, without a minimum separation.
[[nodiscard]] inline std::optional<std::string_view> broken_promise(const Guarantee& guarantee,
                                                                    const CcdResult& truth,
                                                                    const CcdResult& found) {
    const CcdResult near{.verdict = Verdict::Contact};
    const auto broken =
        tools::broken_promises(guarantee, {}, {.truth = truth, .at_tolerance = near}, found)
            .first();
    return broken ? std::optional(tools::breach_of(*broken)) : std::nullopt;
}

}  // namespace graze::testing
