// The oracle takes doubles apart and puts them together: with the arithmetic that C++ starts with,
// whatever the thread was set to. (Flushing subnormals would take some of them for zero.)
#pragma once

#include <cfenv>
#include <optional>
#include <type_traits>
#include <utility>

namespace graze::oracle {

// call(data) in the default environment; the one found comes back on every way out. False, and
// nothing was called: it cannot be set.
[[nodiscard]] bool call_with_default_arithmetic(void (*call)(void*), void* data);

// body(), with default arithmetic; `otherwise` where that cannot be had.
template <class Body>
std::invoke_result_t<const Body&> with_default_arithmetic(
    const Body& body, const std::invoke_result_t<const Body&>& otherwise) {
    struct Frame {
        const Body& body;
        std::optional<std::invoke_result_t<const Body&>> result;
    };
    Frame frame{body, std::nullopt};
    const auto call = [](void* data) {
        Frame& here = *static_cast<Frame*>(data);
        here.result.emplace(here.body());
    };
    if (!call_with_default_arithmetic(call, &frame)) return otherwise;
    return *std::move(frame.result);
}

}  // namespace graze::oracle
