#include "graze/verify/methods.hpp"

#include "graze/baselines/baselines.hpp"
#include "graze/core/assert.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze::verify {

namespace {

void add(MethodRegistry& registry, const Method& method) {
    [[maybe_unused]] const Expected<void> added = registry.add(method);
    GRAZE_ASSERT(added.has_value());
}

}  // namespace

MethodRegistry tool_methods() {
    MethodRegistry registry = builtin_methods();
    const MethodRegistry baselines = baseline_methods();
    for (const Method& method : baselines.all())
        add(registry, method);
#ifdef GRAZE_HAS_EXTRA_METHODS
    const MethodRegistry extra = extra_methods();
    for (const Method& method : extra.all())
        add(registry, method);
#endif
    add(registry, make_oracle());
    return registry;
}

std::string_view default_method_name() {
    const MethodRegistry registry = tool_methods();
    for (const std::string_view candidate : kDefaultMethod) {
        if (registry.find(candidate) != nullptr) return candidate;
    }
    return kDefaultMethod.back();
}

}  // namespace graze::verify
