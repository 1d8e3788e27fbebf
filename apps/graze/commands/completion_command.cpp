// `graze completion`: the script by which a shell completes command lines of graze.
#include "cli/completion.hpp"

#include "cli/output.hpp"
#include "commands.hpp"

namespace graze::app {
namespace {

struct CompletionRequest {
    std::string name;
    Shell shell = Shell::Bash;
};

void check_completion(CompletionRequest& request) {
    const std::optional<Shell> shell = shell_named(request.name);
    if (!shell)
        fail_usage("'" + request.name + "' is no shell that is known; there are: bash, zsh, fish");
    request.shell = *shell;
}

}  // namespace

Command add_completion_command(App& app) {
    App* sub = app.add_command("completion", "Print the completion script of a shell");
    sub->hide();
    const auto request = std::make_shared<CompletionRequest>();
    sub->add_option("SHELL", request->name, "bash, zsh or fish")->type_name("")->required();
    sub->footer(
        "Examples:\n"
        "  graze completion bash > ~/.local/share/bash-completion/completions/graze\n"
        "  graze completion zsh > ~/.zfunc/_graze\n"
        "  graze completion fish > ~/.config/fish/completions/graze.fish\n");
    sub->callback([request] { check_completion(*request); });
    return {sub, [request, &app] {
                return succeeded(print(completion_script(request->shell, app.description())));
            }};
}

}  // namespace graze::app
