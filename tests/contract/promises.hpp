// What a method's declaration means for one answer, given the exact one.
#pragma once

#include <optional>
#include <string_view>

#include "graze/narrow/method.hpp"

namespace graze::testing {

// The first promise that `found` breaks, or nothing. `truth` is the exact answer for the same query
// and options: [toi_lower, toi_upper] are equal or neighbouring doubles around the exact first time
// e.
//   A double x satisfies x <= e iff x <= truth.toi_lower, and x >= e iff x >= truth.toi_upper.
// Comparisons are written so that NaN breaks the promise.
[[nodiscard]] inline std::optional<std::string_view> broken_promise(const Guarantee& guarantee,
                                                                    const CcdResult& truth,
                                                                    const CcdResult& found) {
    const bool touches = truth.verdict == Verdict::Contact;
    if (guarantee.no_false_negatives && touches && found.verdict == Verdict::Separated) {
        return "a contact is called separated";
    }
    if (guarantee.no_false_positives && !touches && found.verdict == Verdict::Contact) {
        return "a miss is called contact";
    }
    if (guarantee.always_resolves && found.verdict == Verdict::Unresolved) {
        return "the query is unresolved";
    }
    if (guarantee.proved_toi_lower && touches && !(found.toi_lower <= truth.toi_lower)) {
        return "toi_lower lies after the first contact";
    }
    if (guarantee.proved_toi_upper && !(found.toi_upper >= truth.toi_upper)) {
        return "toi_upper lies before the first contact";
    }
    if (guarantee.progress_when_apart && truth.toi_lower > 0.0 && !(found.toi_lower > 0.0)) {
        return "no progress, though the start is apart";
    }
    if (!(found.toi_lower >= 0.0)) return "toi_lower is negative or NaN";
    if (found.verdict == Verdict::Separated &&
        !(found.toi_lower == kInfinity && found.toi_upper == kInfinity)) {
        return "separated with a finite time";
    }
    return std::nullopt;
}

}  // namespace graze::testing
