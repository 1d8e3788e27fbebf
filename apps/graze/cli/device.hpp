// `--device`: where queries and steps are answered. What a device needs is not part of the library of
// commands: a program that was built with it hands it in.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/options.hpp"
#include "graze/mesh/step.hpp"
#include "graze/narrow/method.hpp"

namespace graze::app {

// Of a program that was built with a device.
struct DeviceHooks {
    // `certified` with batches on the device; valid until the program ends.
    Expected<Method> (*certified)() = nullptr;
    // Why a batch was answered by the host after all; nothing where none was.
    std::optional<Error> (*failure)() = nullptr;
    Expected<void> (*use)(MeshStepper& stepper) = nullptr;
};
void set_device_hooks(const DeviceHooks& hooks) noexcept;
// Of the program `graze` where it is built with CUDA.
[[nodiscard]] DeviceHooks cuda_hooks() noexcept;

// "cpu" or "cuda".
void add_device_option(App& app, std::string& device);

// `certified` among the methods answers batches on the device from now on. Errors: the program was built
// without it, there is no device, or no method that it knows. Nothing to do for "cpu".
[[nodiscard]] Expected<void> put_on_device(const std::string& device, std::span<Method> methods);
[[nodiscard]] Expected<void> put_on_device(const std::string& device, MeshStepper& stepper);
// After the work: an error where the device failed on the way, since times would then be the host's.
[[nodiscard]] Expected<void> check_device(const std::string& device);

}  // namespace graze::app
