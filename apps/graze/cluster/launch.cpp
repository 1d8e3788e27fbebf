#include "cluster/launch.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

namespace graze::app {
namespace {

// How long rank 0 waits for the others at the end: where all went well they have nothing left to do,
// where it failed they may be within a block.
constexpr std::chrono::seconds kPatience{60};
constexpr std::chrono::seconds kPatienceAfterFailure{5};

struct LauncherVariables {
    const char* ranks;
    const char* rank;
    const char* local_rank;
};
constexpr std::array<LauncherVariables, 3> kLaunchers = {
    {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"},
     {"PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID"},
     {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_LOCALID"}}};

std::optional<int> natural_of(const char* text) {
    if (text == nullptr) return std::nullopt;
    const std::string_view digits(text);
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool is_good = error == std::errc() && end == digits.data() + digits.size() && value >= 0;
    return is_good ? std::optional(value) : std::nullopt;
}

std::vector<std::string> split_at_commas(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        parts.emplace_back(text.substr(0, comma));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return parts;
}

// Graphics processors that the driver of this machine knows.
int installed_devices() {
    std::error_code error;
    int count = 0;
    for (std::filesystem::directory_iterator entry("/proc/driver/nvidia/gpus", error), end;
         !error && entry != end; entry.increment(error))
        ++count;
    return count;
}

JoinRanks join_of_program = nullptr;

}  // namespace

Environment process_environment() {
    return [](const char* name) { return std::getenv(name); };
}

Launch launch_of(const Environment& environment) {
    for (const LauncherVariables& launcher : kLaunchers) {
        const std::optional<int> ranks = natural_of(environment(launcher.ranks));
        if (!ranks || *ranks < 1) continue;
        return {*ranks, natural_of(environment(launcher.rank)).value_or(0),
                natural_of(environment(launcher.local_rank)).value_or(0)};
    }
    return {};
}

std::optional<std::string> device_of_rank(const Launch& launch, const char* visible_devices,
                                          int devices) {
    std::vector<std::string> names;
    if (visible_devices != nullptr) {
        names = split_at_commas(visible_devices);
    } else {
        for (int i = 0; i < devices; ++i)
            names.push_back(std::to_string(i));
    }
    if (names.empty()) return std::nullopt;
    return names[static_cast<std::size_t>(launch.local_rank) % names.size()];
}

void set_join_ranks(JoinRanks join) noexcept {
    join_of_program = join;
}

Expected<void> join_ranks() {
    const Launch launch = launch_of(process_environment());
    if (launch.ranks < 2) return {};
    if (join_of_program == nullptr)
        return Error{
            fmt::format("started as one of {} ranks, but this program was built without MPI "
                        "(GRAZE_BUILD_MPI, docs/cluster.md)",
                        launch.ranks),
            ErrorCode::Unsupported};
    // Before anything asks the driver.
    const auto device =
        device_of_rank(launch, std::getenv("CUDA_VISIBLE_DEVICES"), installed_devices());
    if (device) ::setenv("CUDA_VISIBLE_DEVICES", device->c_str(), 1);
    const Expected<Transport*> transport = join_of_program();
    if (!transport) return transport.error();
    static RankSession session_of_run(**transport);
    set_session(&session_of_run);
    return {};
}

void leave_ranks(const std::string& failure) {
    if (session() == nullptr) return;
    session()->leave(failure, failure.empty() ? kPatience : kPatienceAfterFailure);
    set_session(nullptr);
}

}  // namespace graze::app
