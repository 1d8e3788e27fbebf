// What may be relied on of the answer of a method.
#pragma once

#include "graze/mesh/step.hpp"

namespace graze::mesh_detail {

// [0, lower) is free, and there is a contact at or before `upper`: proved.
struct ProvedBracket {
    double lower = 0.0;
    double upper = kInfinity;
};

// Of the bracket of an answer up to t_max: what the method declares to prove, and only if its
// numbers are possible. A method may come from anywhere: an estimate, NaN or a bracket that ends
// before it begins must neither shorten the search nor become a time that is reported as free.
[[nodiscard]] inline ProvedBracket proved_bracket(const CcdResult& result,
                                                  const StepOptions& options) noexcept {
    const Guarantee& proves = options.method.guarantee;
    const double t_max = options.query.t_max;
    if (result.verdict == Verdict::Separated)
        return {proves.no_false_negatives ? kInfinity : 0.0, kInfinity};
    // Every comparison is false for NaN.
    if (!(result.toi_lower >= 0.0 && result.toi_lower <= t_max &&
          result.toi_lower <= result.toi_upper)) {
        return {};
    }
    return {proves.proved_toi_lower ? result.toi_lower : 0.0,
            proves.proved_toi_upper && result.toi_upper <= t_max ? result.toi_upper : kInfinity};
}

}  // namespace graze::mesh_detail
