#include "cli/device.hpp"

#include <algorithm>

namespace graze::app {
namespace {

DeviceHooks& hooks_of_program() noexcept {
    static DeviceHooks hooks;
    return hooks;
}

Error without_device() {
    return {"--device cuda: this program was built without it (GRAZE_BUILD_CUDA, docs/cuda.md)",
            ErrorCode::Unsupported};
}

Error named(const Error& error) {
    return {"--device cuda: " + error.message, error.code};
}

}  // namespace

void set_device_hooks(const DeviceHooks& hooks) noexcept {
    hooks_of_program() = hooks;
}

void add_device_option(App& app, std::string& device) {
    const auto take = [&device](const std::string& text) {
        if (text != "cpu" && text != "cuda")
            fail_usage("--device: '" + text + "' is neither cpu nor cuda");
        device = text;
    };
    app.add_option_function(
           "--device", take,
           "Where `certified` answers: cpu, or cuda (a graphics processor; same answers)")
        ->type_name("cpu|cuda")
        ->default_str(device);
}

Expected<void> put_on_device(const std::string& device, std::span<Method> methods) {
    if (device == "cpu") return {};
    if (hooks_of_program().certified == nullptr) return without_device();
    const std::string_view name = make_certified().name;
    const auto found = std::find_if(methods.begin(), methods.end(),
                                    [&](const Method& method) { return method.name == name; });
    if (found == methods.end())
        return Error{"--device cuda: of all methods, certified alone runs there",
                     ErrorCode::Unsupported};
    const Expected<Method> on_device = hooks_of_program().certified();
    if (!on_device) return named(on_device.error());
    *found = *on_device;
    return {};
}

Expected<void> put_on_device(const std::string& device, MeshStepper& stepper) {
    if (device == "cpu") return {};
    if (hooks_of_program().use == nullptr) return without_device();
    const Expected<void> used = hooks_of_program().use(stepper);
    return used ? Expected<void>{} : Expected<void>{named(used.error())};
}

Expected<void> check_device(const std::string& device) {
    if (device == "cpu" || hooks_of_program().failure == nullptr) return {};
    if (const std::optional<Error> failure = hooks_of_program().failure()) return named(*failure);
    return {};
}

}  // namespace graze::app
