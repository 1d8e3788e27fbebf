#include "graze/baselines/baselines.hpp"

#include <vector>

#include "graze/baselines/additive.hpp"
#include "graze/baselines/bernstein_sign.hpp"
#include "graze/baselines/floating_point_roots.hpp"
#include "graze/baselines/interval.hpp"
#include "graze/baselines/interval_univariate.hpp"
#include "graze/baselines/min_separation_cubic.hpp"
#include "graze/baselines/root_parity.hpp"
#include "graze/baselines/root_parity_exact.hpp"
#include "graze/baselines/root_parity_published.hpp"
#include "graze/baselines/tight_bernstein.hpp"
#include "graze/core/assert.hpp"

namespace graze {

MethodRegistry baseline_methods() {
    // One line a method, so that a new one is one line.
    const std::vector<Method> methods = {
        make_floating_point_roots(),
        make_min_separation_cubic(),
        make_interval(),
        make_interval_univariate(),
        make_additive(),
        make_tight_bernstein(),
        make_root_parity(),
        make_root_parity_exact(),
        make_bernstein_sign(),
        make_tight_bernstein_published(),
        make_root_parity_published(),
    };
    MethodRegistry registry;
    for (const Method& method : methods) {
        [[maybe_unused]] const Expected<void> added = registry.add(method);
        GRAZE_ASSERT(added.has_value());
    }
    return registry;
}

}  // namespace graze
