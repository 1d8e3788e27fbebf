// Work of the host beside a device, on the threads that whole meshes use.
#pragma once

#include <cstddef>
#include <functional>

#include "graze/core/expected.hpp"
#include "graze/mesh/step.hpp"

namespace graze::cuda {

// body(begin, end) for ranges of [0, count), on as many threads as the options say; with sound
// arithmetic on each. Error: a thread that cannot be set to it.
[[nodiscard]] Expected<void> on_host_threads(
    std::size_t count, const StepOptions& options,
    const std::function<void(std::size_t begin, std::size_t end)>& body);

}  // namespace graze::cuda
