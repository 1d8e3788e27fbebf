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

std::vector<Method>& added_methods() {
    static std::vector<Method> methods;
    return methods;
}

}  // namespace

Expected<void> add_method(const Method& method) {
    MethodRegistry registry = all_methods();
    if (auto added = registry.add(method); !added) return added;
    added_methods().push_back(method);
    return {};
}

MethodRegistry all_methods() {
    MethodRegistry registry = builtin_methods();
    const MethodRegistry baselines = baseline_methods();
    for (const Method& method : baselines.all())
        add(registry, method);
    for (const Method& method : added_methods())
        add(registry, method);
    add(registry, make_oracle());
    return registry;
}

std::string_view default_method_name() {
    const MethodRegistry registry = all_methods();
    for (const std::string_view candidate : kDefaultMethod) {
        if (registry.find(candidate) != nullptr) return candidate;
    }
    return kDefaultMethod.back();
}

}  // namespace graze::verify
