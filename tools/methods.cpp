#include "methods.hpp"

#include "graze/core/assert.hpp"
#include "oracle_method.hpp"

namespace graze::tools {

MethodRegistry tool_methods() {
    MethodRegistry registry = builtin_methods();
    [[maybe_unused]] const Expected<void> added = registry.add(make_oracle());
    GRAZE_ASSERT(added.has_value());
    return registry;
}

std::string_view default_method_name() {
    const MethodRegistry registry = tool_methods();
    for (const std::string_view candidate : kDefaultMethod) {
        if (registry.find(candidate) != nullptr) return candidate;
    }
    return kDefaultMethod.back();
}

}  // namespace graze::tools
