// What the Python module is measured against: the same two arrays, answered by a program in C++.
//   graze_python_reference queries START END     float64 (n, 4, 3), raw bytes
//   graze_python_reference mesh START END FACES  float64 (n, 3), uint32 (m, 3), raw bytes
// For each line on the standard input it answers once, and prints the seconds of processor time that took
// and how many answers are contacts.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "graze/ccd.hpp"
#include "graze/mesh.hpp"

namespace {

using namespace graze;

template <class T>
std::vector<T> contents(const char* path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
}

template <class Answer>
int serve(const Answer& answer) {
    std::string line;
    while (std::getline(std::cin, line)) {
        const std::clock_t begin = std::clock();
        const std::size_t contacts = answer();
        const double spent = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        std::cout << spent << ' ' << contacts << std::endl;
    }
    return 0;
}

// A few at a time, so that they stay in the cache.
void answer_queries(std::span<const Vec3> start, std::span<const Vec3> end,
                    std::span<CcdResult> results) {
    std::array<VertexFaceMotion, 128> motions;
    for (std::size_t first = 0; first < results.size(); first += motions.size()) {
        const std::size_t count = std::min(motions.size(), results.size() - first);
        for (std::size_t i = 0; i < count; ++i) {
            const Vec3* s = &start[4 * (first + i)];
            const Vec3* e = &end[4 * (first + i)];
            motions[i] = {{s[0], e[0]}, {{{s[1], e[1]}, {s[2], e[2]}, {s[3], e[3]}}}};
        }
        const std::span<const VertexFaceMotion> chunk(motions.data(), count);
        if (!ccd(chunk, results.subspan(first, count))) std::abort();
    }
}

int queries(const char* const* paths) {
    const auto start = contents<Vec3>(paths[0]);
    const auto end = contents<Vec3>(paths[1]);
    return serve([&] {
        std::vector<CcdResult> results(start.size() / 4);
        answer_queries(start, end, results);
        return static_cast<std::size_t>(
            std::count_if(results.begin(), results.end(),
                          [](const CcdResult& r) { return r.verdict == Verdict::Contact; }));
    });
}

int mesh(const char* const* paths) {
    const auto start = contents<Vec3>(paths[0]);
    const auto end = contents<Vec3>(paths[1]);
    const auto faces = contents<FaceIndices>(paths[2]);
    auto topology = make_topology(start.size(), faces);
    if (!topology) return 1;
    MeshStepper stepper(std::move(*topology));
    StepOptions options;
    options.threads = 1;
    return serve([&] {
        const auto first = stepper.first_impact(start, end, options);
        return std::size_t{first && first->impact ? 1U : 0U};
    });
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 4 && std::strcmp(argv[1], "queries") == 0) return queries(argv + 2);
    if (argc == 5 && std::strcmp(argv[1], "mesh") == 0) return mesh(argv + 2);
    return 2;
}
