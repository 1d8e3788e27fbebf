#include "cuda/host_threads.hpp"

#include "mesh/threads.hpp"

namespace graze::cuda {
namespace {

// Exact tiers take microseconds for each pair: a few pay for a task.
constexpr std::size_t kPairsOfTask = 64;

}  // namespace

Expected<void> on_host_threads(
    std::size_t count, const StepOptions& options,
    const std::function<void(std::size_t begin, std::size_t end)>& body) {
    if (count == 0) return {};
    return mesh_detail::in_arena(options, [&]() -> Expected<void> {
        mesh_detail::for_each_range(count, kPairsOfTask, [&](std::size_t begin, std::size_t end) {
            mesh_detail::as_sound_task([&] { body(begin, end); });
        });
        return {};
    });
}

}  // namespace graze::cuda
