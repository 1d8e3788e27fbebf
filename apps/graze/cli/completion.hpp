// Completion of the command line in shells, made from the same description as the help.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app.hpp"

namespace graze::app {

enum class Shell { Bash, Zsh, Fish };
[[nodiscard]] std::optional<Shell> shell_named(std::string_view name);

// What may follow an option, as far as its help says.
struct ValueChoices {
    std::vector<std::string> words;  // these
    bool files = false;              // or the name of a file or folder
};
// By the placeholder ("vf|ee", "FILE.csv|-") and, where that is a bare name, by the list in the text:
// "One of: certified, safe-cubic [certified]".
[[nodiscard]] ValueChoices choices_of(const OptionDescription& option);

// The script that this shell reads.
[[nodiscard]] std::string completion_script(Shell shell, const CommandDescription& program);

}  // namespace graze::app
