// Published data that is not part of the project: tests use it where it is, and are skipped where it is not.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace graze::testing {

// The folder `name` of the published data: below $GRAZE_DATA_DIR, or below the folder that the CMake
// option of that name gave. It may not exist: the test is then to call GTEST_SKIP().
[[nodiscard]] inline std::filesystem::path outside_data(const char* name) {
    const char* folder = std::getenv("GRAZE_DATA_DIR");
    return std::filesystem::path(folder != nullptr ? folder : GRAZE_DATA_DIR) / name;
}

}  // namespace graze::testing
