// Single queries on a device beside those of the host: the fast tiers are one source for both, and
// every answer has the same bits. Then how many a second, from device memory.
//   device_queries [MILLIONS]
// Without a device it says so, and passes.
// Defends G-CERTIFIED-5 (docs/GUARANTEES.md).
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "cuda/narrow.cuh"
#include "device_rates.cuh"

namespace {

using device_tests::best_seconds;
using device_tests::cull_all;
using device_tests::OnDevice;
using graze::MovingPoint;
using graze::Norm;
using graze::Vec3;
using graze::certified::FastAnswer;
namespace tiers = graze::certified::portable;

constexpr int kFamilies = 8;
constexpr std::size_t kChunk = std::size_t{1} << 21;

// Numbers in [0, 1), the same on every machine; each query has its own.
class Noise {
public:
    explicit Noise(std::uint64_t seed) : state_(seed) {}
    double next() {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t x = state_;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
        return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
    }
    double small_integer() { return std::floor(5.0 * next()) - 2.0; }

private:
    std::uint64_t state_;
};

Vec3 random_point(Noise& noise, int family) {
    switch (family) {
        case 1:  // touching, coplanar, coincident: small integers
            return {noise.small_integer(), noise.small_integer(), noise.small_integer()};
        case 2:  // nearly flat
            return {noise.next(), noise.next(), 0x1p-45 * noise.next()};
        case 3:  // in a plane
            return {noise.next() - 0.5, noise.next() - 0.5, 0.25};
        case 4:  // tiny
            return {0x1p-900 * noise.next(), 0x1p-900 * noise.next(), 0x1p-900 * noise.next()};
        case 5:  // far from the origin
            return {1e6 + noise.next(), noise.next() - 1e6, noise.next()};
        case 6:  // of very different sizes
            return {std::ldexp(noise.next(), static_cast<int>(40 * noise.next())), noise.next(),
                    noise.next() * 1e-8};
        default:
            return {noise.next() - 0.25, noise.next() - 0.25, noise.next() - 0.25};
    }
}

template <class Motion>
Motion random_motion(std::uint64_t seed, int family) {
    Noise noise(seed * 8 + static_cast<std::uint64_t>(family));
    std::array<MovingPoint, Motion::kVertices> vertices;
    for (MovingPoint& vertex : vertices) {
        vertex.start = random_point(noise, family);
        vertex.end = random_point(noise, family);
        if (family == 7) vertex.end = vertex.start + 0.05 * (vertex.end - vertex.start);
    }
    return graze::motion_from_vertices<Motion>(vertices);
}

template <class Motion>
__global__ void answer_all(const Motion* motions, FastAnswer* answers, std::size_t count,
                           double t_max) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) answers[i] = tiers::answer(motions[i], {t_max, 1e-9});
}
template <class Motion>
__global__ void separate_all(const Motion* motions, FastAnswer* answers, std::size_t count,
                             double reach, Norm norm) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) answers[i] = tiers::separation_answer(motions[i], {reach, norm, 1.0, 1e-9});
}

template <class Body>
void on_all_cores(std::size_t count, const Body& body) {
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::thread> workers;
    for (unsigned t = 0; t < threads; ++t)
        workers.emplace_back([&, t] { body(count * t / threads, count * (t + 1) / threads); });
    for (std::thread& worker : workers)
        worker.join();
}

bool same(const FastAnswer& a, const FastAnswer& b) {
    return a.state == b.state && a.tier == b.tier && a.lower == b.lower && a.upper == b.upper;
}

struct Sum {
    std::uint64_t queries = 0;
    std::uint64_t contacts = 0;
    std::uint64_t open = 0;
    std::uint64_t differ = 0;
};

template <class Motion>
class Comparison {
public:
    Comparison()
        : motions_(kChunk), answers_(kChunk), device_motions_(kChunk), device_answers_(kChunk) {}

    Sum run(std::uint64_t seed) {
        const int family = static_cast<int>(seed % kFamilies);
        on_all_cores(kChunk, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                motions_[i] = random_motion<Motion>(seed * kChunk + i, family);
        });
        cudaMemcpy(device_motions_.data, motions_.data(), kChunk * sizeof(Motion),
                   cudaMemcpyHostToDevice);
        Sum sum{kChunk, 0, 0, 0};
        compare_answers(seed % 3 == 0 ? 0.4 : 1.0, sum);
        const double size = family == 4 ? 0x1p-900 : 1.0;
        compare_separation(size * 0x1p-3, seed % 2 == 0 ? Norm::Euclidean : Norm::Max, sum);
        return sum;
    }

private:
    static constexpr unsigned kThreads = 64;
    static constexpr unsigned kBlocks = kChunk / kThreads;

    void compare_answers(double t_max, Sum& sum) {
        answer_all<<<kBlocks, kThreads>>>(device_motions_.data, device_answers_.data, kChunk,
                                          t_max);
        cudaMemcpy(answers_.data(), device_answers_.data, kChunk * sizeof(FastAnswer),
                   cudaMemcpyDeviceToHost);
        std::atomic<std::uint64_t> differ = 0;
        std::atomic<std::uint64_t> open = 0;
        std::atomic<std::uint64_t> contacts = 0;
        on_all_cores(kChunk, [&](std::size_t begin, std::size_t end) {
            Sum part;
            for (std::size_t i = begin; i < end; ++i) {
                part.differ += same(answers_[i], tiers::answer(motions_[i], {t_max, 1e-9})) ? 0 : 1;
                part.open += answers_[i].state == FastAnswer::State::Open ? 1 : 0;
                part.contacts += answers_[i].state == FastAnswer::State::Contact ? 1 : 0;
            }
            differ += part.differ;
            open += part.open;
            contacts += part.contacts;
        });
        sum.differ += differ;
        sum.open += open;
        sum.contacts += contacts;
    }

    void compare_separation(double reach, Norm norm, Sum& sum) {
        separate_all<<<kBlocks, kThreads>>>(device_motions_.data, device_answers_.data, kChunk,
                                            reach, norm);
        cudaMemcpy(answers_.data(), device_answers_.data, kChunk * sizeof(FastAnswer),
                   cudaMemcpyDeviceToHost);
        std::atomic<std::uint64_t> differ = 0;
        on_all_cores(kChunk, [&](std::size_t begin, std::size_t end) {
            std::uint64_t part = 0;
            for (std::size_t i = begin; i < end; ++i)
                part += same(answers_[i],
                             tiers::separation_answer(motions_[i], {reach, norm, 1.0, 1e-9}))
                            ? 0U
                            : 1U;
            differ += part;
        });
        sum.differ += differ;
    }

    std::vector<Motion> motions_;
    std::vector<FastAnswer> answers_;
    OnDevice<Motion> device_motions_;
    OnDevice<FastAnswer> device_answers_;
};

template <class Motion>
std::uint64_t compare_kind(const char* kind, std::size_t queries) {
    Comparison<Motion> comparison;
    Sum all;
    for (std::uint64_t seed = 0; seed * kChunk < queries || seed < kFamilies; ++seed) {
        const Sum sum = comparison.run(seed);
        all.queries += sum.queries;
        all.contacts += sum.contacts;
        all.open += sum.open;
        all.differ += sum.differ;
    }
    std::printf(
        "%-14s %12llu queries %11llu contacts %10llu left open %llu differ from the host\n", kind,
        static_cast<unsigned long long>(all.queries), static_cast<unsigned long long>(all.contacts),
        static_cast<unsigned long long>(all.open), static_cast<unsigned long long>(all.differ));
    std::fflush(stdout);
    return all.differ;
}

// How many a second: misses by the quick tests, hits by all tiers.
template <class Motion>
void print_rates(const char* kind) {
    std::vector<Motion> misses;
    std::vector<Motion> hits;
    for (std::uint64_t i = 0; misses.size() < kChunk || hits.size() < kChunk; ++i) {
        const Motion motion = random_motion<Motion>(i, static_cast<int>(i % 2) * 7);
        const bool is_hit = tiers::answer(motion, {}).state == FastAnswer::State::Contact;
        std::vector<Motion>& list = is_hit ? hits : misses;
        if (list.size() < kChunk) list.push_back(motion);
    }
    OnDevice<Motion> motions(kChunk);
    OnDevice<FastAnswer> answers(kChunk);
    OnDevice<unsigned long long> left(1);
    cudaMemcpy(motions.data, misses.data(), kChunk * sizeof(Motion), cudaMemcpyHostToDevice);
    const double of_misses =
        best_seconds([&] { cull_all<<<kChunk / 128, 128>>>(motions.data, kChunk, left.data); });
    cudaMemcpy(motions.data, hits.data(), kChunk * sizeof(Motion), cudaMemcpyHostToDevice);
    const double of_hits = best_seconds(
        [&] { answer_all<<<kChunk / 64, 64>>>(motions.data, answers.data, kChunk, 1.0); });
    std::printf("%-14s %6.2f G misses a second, %6.2f G hits a second\n", kind,
                static_cast<double>(kChunk) / of_misses * 1e-9,
                static_cast<double>(kChunk) / of_hits * 1e-9);
}

}  // namespace

int main(int argc, char** argv) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("no device");
        return 0;
    }
    const std::size_t queries =
        (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 16U) * 1'000'000U / 4;
    std::uint64_t differ = 0;
    differ += compare_kind<graze::VertexFaceMotion>("vertex-face", queries);
    differ += compare_kind<graze::EdgeEdgeMotion>("edge-edge", queries);
    differ += compare_kind<graze::VertexVertexMotion>("vertex-vertex", queries);
    differ += compare_kind<graze::VertexEdgeMotion>("vertex-edge", queries);
    print_rates<graze::VertexFaceMotion>("vertex-face");
    print_rates<graze::EdgeEdgeMotion>("edge-edge");
    return differ == 0 ? 0 : 1;
}
