// Poses of two rigid bodies at both ends of a step, from a JSON file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "graze/core/expected.hpp"
#include "graze/rigid/step.hpp"

namespace graze::app {

// More than this is no file of four poses.
inline constexpr std::size_t kMaxPosesBytes = std::size_t{1} << 20;

// {"a":{"start":P,"end":P},"b":{"start":P,"end":P}} with
// P = {"rotation":[w,x,y,z],"translation":[x,y,z]}; other members are skipped.
// Numbers are the nearest doubles. Quaternions are taken as they are: a pose does not depend on
// their length (graze/core/pose.hpp), so there is nothing to normalise and nothing is rounded.
// Errors begin with `name` and say the place: no JSON (line and column), a member that is missing,
// is there twice or is of another kind, a number that is not finite, a squared length that is off 1
// by more than 1e-6.
[[nodiscard]] Expected<rigid::PairStep> parse_poses(std::string_view text, const std::string& name);

// The same from a file, plain or gzip.
[[nodiscard]] Expected<rigid::PairStep> read_poses(const std::filesystem::path& path);

}  // namespace graze::app
