// `graze replay`.
#pragma once

#include "cli/options.hpp"

namespace graze::app {

[[nodiscard]] Command add_replay_command(App& app);

}  // namespace graze::app
