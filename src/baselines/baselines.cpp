#include "graze/baselines/baselines.hpp"

#include <vector>

#include "graze/baselines/tight_bernstein.hpp"
#include "graze/core/assert.hpp"

namespace graze {

MethodRegistry baseline_methods() {
    // One line a method, so that a new one is one line.
    const std::vector<Method> methods = {
        make_tight_bernstein(),
    };
    MethodRegistry registry;
    for (const Method& method : methods) {
        [[maybe_unused]] const Expected<void> added = registry.add(method);
        GRAZE_ASSERT(added.has_value());
    }
    return registry;
}

}  // namespace graze
