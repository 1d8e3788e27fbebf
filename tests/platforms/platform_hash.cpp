// Defends G-ALL-8 (docs/GUARANTEES.md).
// One hash over the results of every method but the oracle, of meshes, rigid bodies and slides: the
// same on every platform, compiler and number of threads. scripts/platforms.sh runs it on many.
//
//   graze_platform_hash [--expect <hash>] [--threads <most>] [--part <prefix>]
//
// Prints one line per part and one over all. Exit status 1: not the expected hash, or a number of
// threads changes a result.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include "platforms/parts.hpp"

namespace graze::platforms {

Executor new_threads() {
    return [](std::size_t count, const std::function<void(std::size_t)>& task) {
#if defined(__EMSCRIPTEN__)
        for (std::size_t i = 0; i < count; ++i)
            task(i);
#else
        std::vector<std::thread> threads;
        threads.reserve(count);
        for (std::size_t i = 0; i < count; ++i)
            threads.emplace_back([&task, i] { task(i); });
        for (std::thread& thread : threads)
            thread.join();
#endif
    };
}

namespace {

void print(std::string_view name, std::uint64_t hash) {
    std::printf("%-36.*s %08x%08x\n", static_cast<int>(name.size()), name.data(),
                static_cast<unsigned>(hash >> 32), static_cast<unsigned>(hash & 0xffff'ffffU));
    std::fflush(stdout);
}

bool is_same_on_threads(const ThreadTest& test, std::size_t most) {
    const std::uint64_t alone = test.hash(1);
    bool same = true;
    for (std::size_t threads = 2; threads <= most; ++threads) {
        if (test.hash(threads) == alone) continue;
        std::printf("%s: %zu threads give other bits than one\n", test.name.c_str(), threads);
        same = false;
    }
    if (same) std::printf("%s: the same bits on 1 to %zu threads\n", test.name.c_str(), most);
    return same;
}

int run_platform_hash(int argc, char** argv) {
    const char* expected = nullptr;
    const char* prefix = "";
    std::size_t most_threads = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view option = argv[i];
        if (option == "--expect") expected = argv[i + 1];
        if (option == "--part") prefix = argv[i + 1];
        if (option == "--threads") most_threads = std::strtoul(argv[i + 1], nullptr, 10);
    }
    std::vector<Part> parts;
    std::vector<ThreadTest> tests;
    add_query_parts(parts);
    add_mesh_parts(parts, tests);
    add_rigid_parts(parts, tests);
    add_slide_parts(parts);

    Hash all;
    for (const Part& part : parts) {
        if (!part.name.starts_with(prefix)) continue;
        const std::uint64_t hash = part.hash();
        print(part.name, hash);
        all.add(hash);
    }
    print("all", all.value());
    bool good = true;
    for (const ThreadTest& test : tests) {
        if (most_threads > 1) good = is_same_on_threads(test, most_threads) && good;
    }
    if (expected != nullptr && std::strtoull(expected, nullptr, 16) != all.value()) {
        std::printf("expected %s\n", expected);
        good = false;
    }
    return good ? 0 : 1;
}

}  // namespace
}  // namespace graze::platforms

int main(int argc, char** argv) {
    return graze::platforms::run_platform_hash(argc, argv);
}
