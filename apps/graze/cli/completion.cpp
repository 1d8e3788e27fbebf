#include "completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace graze::app {
namespace {

bool is_word(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-' || c == '.' || c == '_';
    }) && text != "-";
}

std::vector<std::string> pieces_of(std::string_view text, char separator) {
    std::vector<std::string> pieces(1);
    for (const char c : text) {
        if (c == separator)
            pieces.emplace_back();
        else
            pieces.back() += c;
    }
    return pieces;
}

// Without what stands in parentheses and brackets: remarks and defaults.
std::string without_remarks(std::string_view text) {
    std::string kept;
    int depth = 0;
    for (const char c : text) {
        if (c == '(' || c == '[') {
            ++depth;
            while (!kept.empty() && kept.back() == ' ')
                kept.pop_back();
        } else if (c == ')' || c == ']') {
            --depth;
        } else if (depth == 0) {
            kept += c;
        }
    }
    return kept;
}

// The longest list "a, b, c or d" in the text.
std::vector<std::string> listed_words(std::string_view text) {
    std::vector<std::string> longest;
    std::vector<std::string> list;
    bool goes_on = false;
    for (std::string word : pieces_of(without_remarks(text), ' ')) {
        if (word == "or" && !list.empty()) {
            goes_on = true;
            continue;
        }
        const bool ends_in_comma = !word.empty() && word.back() == ',';
        const bool ends_in_semicolon = !word.empty() && word.back() == ';';
        if (ends_in_comma || ends_in_semicolon) word.pop_back();
        if (!goes_on) list.clear();
        if (is_word(word)) list.push_back(word);
        goes_on = ends_in_comma && is_word(word);
        if (list.size() > longest.size()) longest = list;
    }
    return longest.size() < 2 ? std::vector<std::string>() : longest;
}

bool is_bare_name(std::string_view value) {
    constexpr std::array kNames = {"M", "NAME", "A,B,...", "NAME,..."};
    return std::find(kNames.begin(), kNames.end(), value) != kNames.end();
}

bool names_a_file(std::string_view piece) {
    const bool has_extension = piece.find('.') != std::string_view::npos;
    return piece.starts_with("FILE") || piece.starts_with("DIR") ||
           (has_extension && !is_word(piece) && !piece.ends_with("..."));
}

// The first clause, which is what fits beside a name.
std::string first_clause(std::string_view text) {
    const std::string whole = without_remarks(text);
    std::size_t end = whole.size();
    for (const char* stop : {": ", "; ", ". "})
        end = std::min(end, whole.find(stop));
    return whole.substr(0, end);
}

std::string with_escapes(std::string_view text, std::string_view special, std::string_view before) {
    std::string result;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos) result += before;
        result += c;
    }
    return result;
}

std::vector<std::string> option_words(const CommandDescription& command) {
    std::vector<std::string> words;
    for (const OptionDescription& option : command.options)
        words.insert(words.end(), option.names.begin(), option.names.end());
    return words;
}

std::vector<std::string> argument_words(const CommandDescription& command) {
    std::vector<std::string> words;
    for (const OptionDescription& argument : command.arguments) {
        for (const std::string& word : choices_of(argument).words)
            words.push_back(word);
    }
    return words;
}

std::string spaced(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> command_names(const CommandDescription& program) {
    std::vector<std::string> names;
    for (const CommandDescription& command : program.commands)
        names.push_back(command.name);
    return names;
}

// --- bash ----------------------------------------------------------------------------------------

// One case of `case $command:$previous`, for options with a value.
std::string bash_value_case(const CommandDescription& command, const OptionDescription& option) {
    if (option.value.empty()) return "";
    std::vector<std::string> patterns;
    for (const std::string& name : option.names)
        patterns.push_back(fmt::format("{}:{}", command.name, name));
    const ValueChoices choices = choices_of(option);
    std::string reply;
    if (!choices.words.empty())
        reply =
            fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$current\"))", spaced(choices.words));
    else if (choices.files)
        reply = "_graze_files";
    else
        reply = "COMPREPLY=()";
    return fmt::format("        {}) {}; return ;;\n", fmt::join(patterns, " | "), reply);
}

std::string bash_script(const CommandDescription& program) {
    std::string values;
    std::string lists;
    for (const CommandDescription& command : program.commands) {
        for (const OptionDescription& option : command.options)
            values += bash_value_case(command, option);
        std::vector<std::string> options = option_words(command);
        const std::vector<std::string> shared = option_words(program);
        options.insert(options.end(), shared.begin(), shared.end());
        lists += fmt::format("        {}) options='{}'; words='{}' ;;\n", command.name,
                             spaced(options), spaced(argument_words(command)));
    }
    const std::string names = spaced(command_names(program));
    return fmt::format(
        "# Completion of graze for bash; made by `graze completion bash`.\n"
        "_graze_files() {{\n"
        "    local IFS=$'\\n'\n"
        "    compopt -o filenames 2> /dev/null\n"
        "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
        "}}\n"
        "_graze() {{\n"
        "    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}\n"
        "    local command='' options='{}' words='{} help' i\n"
        "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "        case \" {} help \" in\n"
        "            *\" ${{COMP_WORDS[i]}} \"*) command=${{COMP_WORDS[i]}}; break ;;\n"
        "        esac\n"
        "    done\n"
        "    case $command:$previous in\n"
        "{}"
        "    esac\n"
        "    case $command in\n"
        "{}"
        "        help) options=''; words='{}' ;;\n"
        "    esac\n"
        "    if [[ $current == -* ]]; then words=$options; fi\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
        "    if [[ -n $command && $command != help && $current != -* && ${{#COMPREPLY[@]}} -eq 0 "
        "]]; "
        "then _graze_files; fi\n"
        "}}\n"
        "complete -F _graze graze\n",
        spaced(option_words(program)), names, names, values, lists, names);
}

// --- zsh -----------------------------------------------------------------------------------------

std::string zsh_text(std::string_view text) {
    std::string result;
    for (const char c : with_escapes(text, "[]:\\", "\\")) {
        if (c == '\'')
            result += "'\\''";
        else
            result += c;
    }
    return result;
}

std::string zsh_action(const OptionDescription& option) {
    const ValueChoices choices = choices_of(option);
    if (!choices.words.empty()) return "(" + spaced(choices.words) + ")";
    return choices.files ? "_files" : "";
}

std::string zsh_option_lines(const CommandDescription& command) {
    std::string lines;
    for (const OptionDescription& option : command.options) {
        for (const std::string& name : option.names) {
            lines +=
                fmt::format("                '*{}[{}]", name, zsh_text(first_clause(option.text)));
            if (!option.value.empty())
                lines += fmt::format(":{}:{}", zsh_text(option.value), zsh_action(option));
            lines += "' \\\n";
        }
    }
    return lines;
}

std::string zsh_command_case(const CommandDescription& command, const std::string& shared) {
    const std::vector<std::string> words = argument_words(command);
    const std::string rest =
        words.empty() ? "'*:file:_files'" : fmt::format("'*:argument:({})'", spaced(words));
    return fmt::format(
        "        {})\n            _arguments \\\n{}{}                {}\n            ;;\n",
        command.name, zsh_option_lines(command), shared, rest);
}

std::string zsh_script(const CommandDescription& program) {
    const std::string shared = zsh_option_lines(program);
    std::string names;
    std::string cases;
    for (const CommandDescription& command : program.commands) {
        names += fmt::format("        '{}:{}'\n", command.name, zsh_text(command.text));
        cases += zsh_command_case(command, shared);
    }
    return fmt::format(
        "#compdef graze\n"
        "# Completion of graze for zsh; made by `graze completion zsh`.\n"
        "_graze() {{\n"
        "    local -a commands\n"
        "    local state line\n"
        "    commands=(\n"
        "{}"
        "        'help:Print help of a command'\n"
        "    )\n"
        "    _arguments -C \\\n"
        "{}"
        "                '1:command:->command' '*::argument:->argument'\n"
        "    case $state in\n"
        "        command) _describe command commands; return ;;\n"
        "        argument) ;;\n"
        "        *) return ;;\n"
        "    esac\n"
        "    case $line[1] in\n"
        "{}"
        "        help) _describe command commands ;;\n"
        "    esac\n"
        "}}\n"
        "_graze \"$@\"\n",
        names, shared, cases);
}

// --- fish ----------------------------------------------------------------------------------------

std::string fish_quoted(std::string_view text) {
    return "'" + with_escapes(text, "'\\", "\\") + "'";
}

std::string fish_option_line(const OptionDescription& option, std::string_view condition) {
    std::string line = fmt::format("complete -c graze{}", condition);
    for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    const ValueChoices choices = choices_of(option);
    if (!option.value.empty()) {
        if (!choices.words.empty())
            line += fmt::format(" -x -a {}", fish_quoted(spaced(choices.words)));
        else
            line += choices.files ? " -r -F" : " -x";
    }
    return line + fmt::format(" -d {}\n", fish_quoted(first_clause(option.text)));
}

std::string fish_script(const CommandDescription& program) {
    std::string text =
        "# Completion of graze for fish; made by `graze completion fish`.\n"
        "complete -c graze -n __fish_use_subcommand -f\n";
    for (const OptionDescription& option : program.options)
        text += fish_option_line(option, "");
    for (const CommandDescription& command : program.commands) {
        text += fmt::format("complete -c graze -n __fish_use_subcommand -f -a {} -d {}\n",
                            command.name, fish_quoted(command.text));
        const std::string condition =
            fmt::format(" -n '__fish_seen_subcommand_from {}'", command.name);
        for (const OptionDescription& option : command.options)
            text += fish_option_line(option, condition);
        const std::vector<std::string> words = argument_words(command);
        if (!words.empty())
            text +=
                fmt::format("complete -c graze{} -a {}\n", condition, fish_quoted(spaced(words)));
    }
    text += fmt::format(
        "complete -c graze -n __fish_use_subcommand -f -a help -d 'Print help of a command'\n"
        "complete -c graze -n '__fish_seen_subcommand_from help' -f -a {}\n",
        fish_quoted(spaced(command_names(program))));
    return text;
}

}  // namespace

std::optional<Shell> shell_named(std::string_view name) {
    if (name == "bash") return Shell::Bash;
    if (name == "zsh") return Shell::Zsh;
    if (name == "fish") return Shell::Fish;
    return std::nullopt;
}

ValueChoices choices_of(const OptionDescription& option) {
    ValueChoices choices;
    if (is_bare_name(option.value)) {
        choices.words = listed_words(option.text);
        return choices;
    }
    for (const std::string& piece : pieces_of(option.value, '|')) {
        if (names_a_file(piece))
            choices.files = true;
        else if (is_word(piece))
            choices.words.push_back(piece);
    }
    return choices;
}

std::string completion_script(Shell shell, const CommandDescription& program) {
    switch (shell) {
        case Shell::Bash:
            return bash_script(program);
        case Shell::Zsh:
            return zsh_script(program);
        case Shell::Fish:
            return fish_script(program);
    }
    return "";
}

}  // namespace graze::app
