// What the examples that simulate many steps share: their options, the loop over the steps, and
// the files of their frames.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "graze/core/expected.hpp"

namespace example {

struct StepRequest {
    int steps = 1;
    std::uint64_t seed = 1;
    bool check = true;  // without any option, or where it is asked for
    std::string frames;
};

// `take(option, value)` is called for what is none of --steps, --seed, --check and --frames; false
// where that is unknown, too.
template <class Take>
[[nodiscard]] bool parse(std::span<char*> arguments, StepRequest& request, const Take& take) {
    request.check = arguments.empty();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view option = arguments[i];
        if (option == "--check") {
            request.check = true;
            continue;
        }
        if (i + 1 == arguments.size()) return false;
        const char* const value = arguments[++i];
        if (option == "--steps") {
            request.steps = std::atoi(value);
        } else if (option == "--seed") {
            request.seed = std::strtoull(value, nullptr, 10);
        } else if (option == "--frames") {
            request.frames = value;
        } else if (!take(option, value)) {
            return false;
        }
    }
    return request.steps > 0;
}
[[nodiscard]] inline bool parse(std::span<char*> arguments, StepRequest& request) {
    return parse(arguments, request, [](std::string_view, const char*) { return false; });
}

inline int fail(const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    return EXIT_FAILURE;
}
inline int fail_usage() {
    return fail("see the top of main.cpp for the options");
}

// [s] Calls step(i) for every step, and write(file) before every tenth where frames are asked for;
// it closes the file.
template <class Step, class Write>
[[nodiscard]] graze::Expected<double> run_steps(const StepRequest& request, const Step& step,
                                                const Write& write) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < request.steps; ++i) {
        if (!request.frames.empty() && i % 10 == 0) {
            const std::string name = std::to_string(1'000'000 + i).substr(1) + ".obj";
            std::FILE* file = std::fopen((request.frames + "/" + name).c_str(), "w");
            if (file == nullptr || !write(file))
                return graze::Error{"cannot write a frame into " + request.frames};
        }
        if (const auto good = step(i); !good) return good.error();
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    return seconds.count();
}

}  // namespace example
