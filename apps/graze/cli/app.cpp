#include "app.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>

#include "text_layout.hpp"

namespace graze::app {
namespace {

CLI::Option* parser_option(void* option) {
    return static_cast<CLI::Option*>(option);
}

// Letters inserted, dropped, replaced or exchanged with their neighbour (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t k = 0; k <= b.size(); ++k) {
            if (i == 0 || k == 0) {
                cost[i][k] = i + k;
                continue;
            }
            const std::size_t replaced = cost[i - 1][k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1);
            cost[i][k] = std::min({replaced, cost[i - 1][k] + 1, cost[i][k - 1] + 1});
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                cost[i][k] = std::min(cost[i][k], cost[i - 2][k - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

std::string suggestion(std::string_view typed, std::span<const std::string> candidates) {
    const std::string nearest = nearest_name(typed, candidates);
    return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

bool looks_like_option(std::string_view word) {
    return word.size() > 1 && word.front() == '-' && word != "--";
}

// "--kind=vf" asks for "--kind".
std::string option_part(const std::string& word) {
    return word.substr(0, word.find('='));
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
        for (const std::string& name : option->get_snames())
            names.push_back("-" + name);
    }
    return names;
}

std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames())
        names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        names.push_back("--" + name);
    if (names.empty()) names.push_back(option.get_name(true));
    return names;
}

// What help shows in the place of a value.
std::string value_of(const CLI::Option& option) {
    return option.get_expected_max() > 0 ? option.get_type_name() : "";
}

// "-h,--help", "--json FILE|-", "START".
std::string heading_of(const CLI::Option& option) {
    const std::string names = fmt::format("{}", fmt::join(names_of(option), ", "));
    const std::string value = value_of(option);
    return value.empty() ? names : names + " " + value;
}

std::string text_of(const CLI::Option& option) {
    std::string text = option.get_description();
    if (!option.get_default_str().empty() && option.get_expected_max() > 0)
        text += fmt::format(" [{}]", option.get_default_str());
    if (option.get_required() && !option.get_positional()) text += " (required)";
    return text;
}

std::vector<HelpEntry> entries_of(const CLI::App& app, bool positional) {
    std::vector<HelpEntry> entries;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_positional() == positional)
            entries.push_back({heading_of(*option), text_of(*option)});
    }
    return entries;
}

std::string usage_of(const CLI::App& app, const std::string& full_name, bool has_commands) {
    std::string usage = fmt::format("{} [OPTIONS]", full_name);
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_positional()) continue;
        if (option->get_required()) usage += " " + heading_of(*option);
    }
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_positional()) continue;
        const std::string many = option->get_expected_max() > 1 ? "..." : "";
        usage += option->get_required() ? fmt::format(" {}{}", option->get_name(true), many)
                                        : fmt::format(" [{}{}]", option->get_name(true), many);
    }
    return has_commands ? usage + " COMMAND" : usage;
}

}  // namespace

void fail_usage(const std::string& message) {
    throw UsageError(message);
}

std::string nearest_name(std::string_view typed, std::span<const std::string> candidates) {
    std::string nearest;
    std::size_t least = typed.size() / 3 + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = edit_distance(typed, candidate);
        if (distance >= least) continue;
        least = distance;
        nearest = candidate;
    }
    return nearest;
}

Option* Option::required() {
    parser_option(option_)->required();
    return this;
}
Option* Option::type_name(const std::string& name) {
    parser_option(option_)->type_name(name);
    return this;
}
Option* Option::default_str(const std::string& text) {
    parser_option(option_)->default_str(text);
    return this;
}
Option* Option::delimiter(char separator) {
    parser_option(option_)->delimiter(separator);
    return this;
}
Option* Option::expected(int count) {
    parser_option(option_)->expected(count);
    return this;
}
Option* Option::one_value_each() {
    parser_option(option_)->allow_extra_args(false);
    return this;
}

struct App::State {
    std::unique_ptr<CLI::App> owned;  // the program's; commands belong to it
    CLI::App* parser = nullptr;
    App* parent = nullptr;
    std::deque<Option> options;
    std::deque<std::unique_ptr<App>> commands;
    std::string footer;
    bool hidden = false;
};

App::App(const std::string& description, const std::string& name)
    : state_(std::make_unique<State>()) {
    state_->owned = std::make_unique<CLI::App>(description, name);
    state_->parser = state_->owned.get();
    state_->parser->set_help_flag();
}
App::App(std::unique_ptr<State> state, App* parent) : state_(std::move(state)) {
    state_->parent = parent;
}
App::~App() = default;

App* App::add_command(const std::string& name, const std::string& description) {
    auto state = std::make_unique<State>();
    state->parser = state_->parser->add_subcommand(name, description);
    // Options of the program may also follow the command.
    state->parser->fallthrough();
    state->parser->set_help_flag();
    state_->commands.push_back(std::unique_ptr<App>(new App(std::move(state), this)));
    return state_->commands.back().get();
}

void App::add_alias(const std::string& name) {
    state_->parser->alias(name);
}

void App::hide() {
    state_->hidden = true;
}

Option* App::keep(void* option) {
    state_->options.push_back(Option(option));
    return &state_->options.back();
}

Option* App::add_option(const std::string& names, std::string& value, const std::string& help) {
    return keep(state_->parser->add_option(names, value, help)->capture_default_str());
}

Option* App::add_option(const std::string& names, std::vector<std::string>& values,
                        const std::string& help) {
    return keep(state_->parser->add_option(names, values, help));
}

Option* App::add_flag(const std::string& names, bool& value, const std::string& help) {
    return keep(state_->parser->add_flag(names, value, help));
}

Option* App::add_option_function(const std::string& names,
                                 std::function<void(const std::string&)> take,
                                 const std::string& help) {
    return keep(state_->parser->add_option_function<std::string>(names, take, help));
}

Option* App::add_list_function(const std::string& names,
                               std::function<void(const std::vector<std::string>&)> take,
                               const std::string& help) {
    return keep(state_->parser->add_option_function<std::vector<std::string>>(names, take, help));
}

void App::callback(std::function<void()> check) {
    state_->parser->callback(std::move(check));
}

void App::footer(const std::string& text) {
    state_->footer = text;
}

void App::parse(std::span<const std::string> arguments) {
    if (!state_->commands.empty()) state_->parser->require_subcommand(1);
    try {
        // The parser takes them from the back.
        state_->parser->parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::Error& error) {
        fail_parse(error.what());
    }
}

// What is not known says more than what is missing, so it is looked for first.
void App::fail_parse(const std::string& otherwise) const {
    const App& command = met();
    for (const std::string& word : state_->parser->remaining(true)) {
        if (!looks_like_option(word)) continue;
        std::vector<std::string> names = option_names(*command.state_->parser);
        const std::vector<std::string> shared = option_names(*state_->parser);
        names.insert(names.end(), shared.begin(), shared.end());
        fail_usage(fmt::format("{} has no option '{}'{}", command.full_name(), option_part(word),
                               suggestion(option_part(word), names)));
    }
    const std::vector<std::string> words = state_->parser->remaining(true);
    if (&command != this || state_->commands.empty()) {
        fail_usage(words.empty() ? otherwise
                                 : fmt::format("'{}' is one argument too many", words.front()));
    }
    std::vector<std::string> names;
    for (const auto& known : state_->commands) {
        if (!known->state_->hidden) names.push_back(known->name());
    }
    if (words.empty())
        fail_usage("a command is needed: " + fmt::format("{}", fmt::join(names, ", ")));
    const std::string near = suggestion(words.front(), names);
    fail_usage(
        fmt::format("there is no command '{}'{}", words.front(),
                    near.empty() ? fmt::format("; there are: {}", fmt::join(names, ", ")) : near));
}

bool App::parsed() const {
    return state_->parser->parsed();
}

const App& App::met() const {
    for (const auto& command : state_->commands) {
        if (command->parsed()) return command->met();
    }
    return *this;
}

std::string App::name() const {
    return state_->parser->get_name();
}

std::string App::full_name() const {
    return state_->parent == nullptr ? name() : state_->parent->full_name() + " " + name();
}

const App* App::find(std::string_view name) const {
    for (const auto& command : state_->commands) {
        if (command->state_->parser->check_name(std::string(name))) return command.get();
    }
    return nullptr;
}

CommandDescription App::description() const {
    CommandDescription result{name(), state_->parser->get_description(), {}, {}, {}};
    for (const CLI::Option* option : state_->parser->get_options()) {
        OptionDescription described{names_of(*option), value_of(*option), text_of(*option)};
        // Arguments have no placeholder but their name.
        if (option->get_positional() && described.value.empty())
            described.value = described.names[0];
        (option->get_positional() ? result.arguments : result.options).push_back(described);
    }
    for (const auto& command : state_->commands) {
        if (!command->state_->hidden) result.commands.push_back(command->description());
    }
    return result;
}

std::string App::help(const HelpStyle& style) const {
    HelpText text(style.width, style.colour);
    const CLI::App& parser = *state_->parser;
    text.paragraph(parser.get_description());
    text.heading("Usage");
    text.paragraph("  " + usage_of(parser, full_name(), !state_->commands.empty()));
    std::vector<HelpEntry> commands;
    for (const auto& command : state_->commands) {
        if (command->state_->hidden) continue;
        commands.push_back({command->name(), command->state_->parser->get_description()});
    }
    text.entries("Commands", commands);
    text.entries("Arguments", entries_of(parser, true));
    text.entries("Options", entries_of(parser, false));
    if (state_->parent != nullptr)
        text.entries("For every command", entries_of(*state_->parent->state_->parser, false));
    text.footer(state_->footer);
    return text.take();
}

}  // namespace graze::app
