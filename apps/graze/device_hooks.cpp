// `--device cuda` of the program `graze`.
#include <optional>

#include "cli/device.hpp"
#include "graze/cuda/stepper.hpp"

namespace graze::app {
namespace {

std::optional<cuda::DeviceMethod>& device_method() {
    static std::optional<cuda::DeviceMethod> method;
    return method;
}

Expected<Method> certified_on_device() {
    std::optional<cuda::DeviceMethod>& method = device_method();
    if (!method) {
        Expected<cuda::DeviceMethod> made = cuda::DeviceMethod::create();
        if (!made) return made.error();
        method.emplace(std::move(*made));
    }
    return method->method();
}

std::optional<Error> device_failure() {
    return device_method() ? device_method()->failure() : std::nullopt;
}

Expected<void> step_on_device(MeshStepper& stepper) {
    return cuda::use_device(stepper);
}

}  // namespace

DeviceHooks cuda_hooks() noexcept {
    return {&certified_on_device, &device_failure, &step_on_device};
}

}  // namespace graze::app
