// The parser of the command line, cheap to include: CLI11 is seen by app.cpp alone.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace graze::app {

// A wrong use of the command line: exit code 2.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};
[[noreturn]] void fail_usage(const std::string& message);

// One option, positional argument or flag. Owned by its App; each call returns the option itself.
class Option {
public:
    Option* required();
    // What help shows in the place of a value; empty: nothing.
    Option* type_name(const std::string& name);
    // What help shows as the default.
    Option* default_str(const std::string& text);
    // Values of a list are joined by this character; the option may still be repeated.
    Option* delimiter(char separator);
    // So many values follow.
    Option* expected(int count);
    // One value follows each time the option is named, not all up to the next option.
    Option* one_value_each();

private:
    friend class App;
    explicit Option(void* option) : option_(option) {}
    void* option_;  // CLI::Option
};

// An option, argument or flag as help describes it.
struct OptionDescription {
    std::vector<std::string> names;  // "-h", "--help", or the name of an argument
    std::string value;               // what help shows in the place of a value; empty: a flag
    std::string text;
};

// A command, or the program with its commands.
struct CommandDescription {
    std::string name;
    std::string text;
    std::vector<OptionDescription> arguments;
    std::vector<OptionDescription> options;
    std::vector<CommandDescription> commands;
};

// The program or one of its commands.
class App {
public:
    App(const std::string& description, const std::string& name);
    App(const App&) = delete;
    App& operator=(const App&) = delete;
    ~App();

    App* add_command(const std::string& name, const std::string& description);
    // Another name by which the command is known, not listed by help.
    void add_alias(const std::string& name);
    // Help, suggestions and description() leave it out.
    void hide();
    // Names: "--long", "-s,--long" or "NAME" of a positional argument. Help shows a value that is
    // not empty as the default.
    Option* add_option(const std::string& names, std::string& value, const std::string& help);
    Option* add_option(const std::string& names, std::vector<std::string>& values,
                       const std::string& help);
    Option* add_flag(const std::string& names, bool& value, const std::string& help);
    // Hands over the text as typed.
    Option* add_option_function(const std::string& names,
                                std::function<void(const std::string&)> take,
                                const std::string& help);
    Option* add_list_function(const std::string& names,
                              std::function<void(const std::vector<std::string>&)> take,
                              const std::string& help);
    // Called once the options of this command have been understood.
    void callback(std::function<void()> check);
    // Text below the options: the examples.
    void footer(const std::string& text);

    // Understands the arguments after the name of the program. Throws UsageError: an option or a
    // command that there is not, with the nearest that there is; values of a wrong form.
    void parse(std::span<const std::string> arguments);
    // True iff parse() met this command.
    [[nodiscard]] bool parsed() const;
    // The command that parse() met, or the program itself.
    [[nodiscard]] const App& met() const;
    [[nodiscard]] std::string name() const;
    // "graze mesh", the way a user types it.
    [[nodiscard]] std::string full_name() const;
    // The command of this name or alias; null where there is none.
    [[nodiscard]] const App* find(std::string_view name) const;

    [[nodiscard]] CommandDescription description() const;

    struct HelpStyle {
        std::size_t width = 80;
        bool colour = false;
    };
    // Usage, arguments, options and commands, wrapped; lines of the footer stay as they are.
    [[nodiscard]] std::string help(const HelpStyle& style) const;

private:
    struct State;
    App(std::unique_ptr<State> state, App* parent);
    [[noreturn]] void fail_parse(const std::string& otherwise) const;
    Option* keep(void* option);

    std::unique_ptr<State> state_;
};

// The candidate that was most likely meant, or empty where none is close: at most a third of the
// letters differ, counting an exchange of neighbours as one.
[[nodiscard]] std::string nearest_name(std::string_view typed,
                                       std::span<const std::string> candidates);

}  // namespace graze::app
