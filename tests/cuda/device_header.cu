// The queries of graze/cuda/ccd.cuh inside of a kernel, beside those of the host: the same bits or
// Unresolved, and never a free time that is not. Without a device it says so, and passes.
//   device_header [QUERIES]
// Compiled once more with fused operations (GRAZE_EXPECT_FUSED): are they noticed?
// Defends G-CUDA-2 (docs/GUARANTEES.md).
#include <cuda_runtime.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "graze/ccd.hpp"
#include "graze/cuda/ccd.cuh"

namespace {

using graze::CcdResult;
using graze::Vec3;
using graze::Verdict;

class Noise {
public:
    explicit Noise(std::uint64_t seed) : state_(seed * 2 + 1) {}
    double next() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<double>(state_ >> 11) * 0x1p-53;
    }
    // Some of them small integers: touching, coplanar, coincident.
    Vec3 point(bool integers) {
        if (integers) return {std::floor(4.0 * next()), std::floor(4.0 * next()), std::floor(2.0 * next())};
        return {next() - 0.25, next() - 0.25, next() - 0.25};
    }

private:
    std::uint64_t state_;
};

graze::MovingPoint moving(Noise& noise, bool integers) {
    return {noise.point(integers), noise.point(integers)};
}

struct Query {
    graze::VertexFaceMotion face;
    graze::EdgeEdgeMotion edge;
    graze::CcdOptions options;
    float eta;
    float thickness;
};
struct Answers {
    CcdResult face;
    CcdResult edge;
    float toc;
    bool hit;
};

struct Float3 {
    float x;
    float y;
    float z;
};
__host__ __device__ Float3 narrowed(const Vec3& p) {
    return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}
__host__ __device__ Float3 displacement(const graze::MovingPoint& p) {
    return narrowed({p.end.x - p.start.x, p.end.y - p.start.y, p.end.z - p.start.z});
}

__global__ void answer_faces(const Query* queries, Answers* answers, std::uint32_t count) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) answers[i].face = graze::cuda::ccd(queries[i].face, queries[i].options);
}
__global__ void answer_edges(const Query* queries, Answers* answers, std::uint32_t count) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) answers[i].edge = graze::cuda::ccd(queries[i].edge, queries[i].options);
}
__global__ void answer_floats(const Query* queries, Answers* answers, std::uint32_t count) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const graze::VertexFaceMotion& f = queries[i].face;
    float toc = 1.0F;
    answers[i].hit = graze::cuda::point_triangle_ccd(
        narrowed(f.vertex.start), narrowed(f.face[0].start), narrowed(f.face[1].start),
        narrowed(f.face[2].start), displacement(f.vertex), displacement(f.face[0]),
        displacement(f.face[1]), displacement(f.face[2]), queries[i].eta, queries[i].thickness, 100,
        toc);
    answers[i].toc = toc;
}

// The exact answer for the floats as given: the motion to p + d, of which a double holds the sum.
CcdResult exact_float_answer(const Query& q) {
    const auto at = [](const graze::MovingPoint& p) {
        const Float3 s = narrowed(p.start);
        const Float3 d = displacement(p);
        return graze::MovingPoint{{s.x, s.y, s.z},
                                  {double{s.x} + d.x, double{s.y} + d.y, double{s.z} + d.z}};
    };
    graze::CcdOptions options;
    options.min_separation = q.thickness;
    return graze::ccd(graze::VertexFaceMotion{at(q.face.vertex),
                                              {at(q.face.face[0]), at(q.face.face[1]),
                                               at(q.face.face[2])}},
                      options);
}

struct Counts {
    std::size_t same = 0;
    std::size_t unresolved = 0;
    std::size_t differ = 0;
};

void count(const CcdResult& here, const CcdResult& host, Counts& counts) {
    if (here == host) {
        ++counts.same;
    } else if (here.verdict == Verdict::Unresolved && here.toi_lower <= host.toi_upper) {
        ++counts.unresolved;
    } else {
        ++counts.differ;
    }
}

// Without a device as well: nothing is answered for what is no motion, or no set of options.
int answered_without_sense() {
    const double inf = std::numeric_limits<double>::infinity();
    const graze::VertexFaceMotion falls{{{0.25, 0.25, 1}, {0.25, 0.25, -1}},
                                        {{{{0, 0, 0}, {0, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}, {{0, 1, 0}, {0, 1, 0}}}}};
    int answered = 0;
    const auto ask = [&](const graze::VertexFaceMotion& motion, const graze::CcdOptions& options) {
        const CcdResult result = graze::cuda::ccd(motion, options);
        answered += result.verdict != Verdict::Unresolved || result.toi_lower != 0.0;
    };
    for (const double bad : {std::nan(""), inf, -inf})
        for (const double separation : {0.0, 0.1})
            for (int i = 0; i < 24; ++i) {
                graze::VertexFaceMotion motion = falls;
                graze::MovingPoint& point = i < 6 ? motion.vertex : motion.face[i / 6 - 1];
                (i % 6 < 3 ? point.start : point.end)[i % 3] = bad;
                for (const graze::Norm norm : {graze::Norm::Euclidean, graze::Norm::Max}) {
                    graze::CcdOptions options;
                    options.min_separation = separation;
                    options.norm = norm;
                    ask(motion, options);
                }
            }
    const auto with = [](auto change) {
        graze::CcdOptions options;
        change(options);
        return options;
    };
    ask(falls, with([](graze::CcdOptions& o) { o.distance_tolerance = -1.0; }));
    ask(falls, with([&](graze::CcdOptions& o) { o.time_width = inf; }));
    ask(falls, with([](graze::CcdOptions& o) { o.max_checks = 0; }));
    ask(falls, with([](graze::CcdOptions& o) { o.t_max = 1.5; }));
    std::printf("not finite or not valid: %d answered\n", answered);
    return answered;
}

int run(std::size_t size) {
    std::vector<Query> queries(size);
    for (std::size_t i = 0; i < size; ++i) {
        Noise noise(i);
        const bool integers = i % 4 == 0;
        Query& q = queries[i];
        q.face = {moving(noise, integers), {moving(noise, integers), moving(noise, integers), moving(noise, integers)}};
        q.edge = {{moving(noise, integers), moving(noise, integers)},
                  {moving(noise, integers), moving(noise, integers)}};
        // (Integers with a separation take the host's exact tiers very long.)
        q.options.min_separation = i % 3 == 0 || integers ? 0.0 : 0.05 * noise.next();
        q.options.norm = i % 2 == 0 ? graze::Norm::Euclidean : graze::Norm::Max;
        q.eta = static_cast<float>(0.5 * noise.next());
        // No motion: nothing may be answered.
        if (i % 64 == 1) (i % 128 == 1 ? q.face.vertex.end : q.face.face[1].start).y = std::nan("");
        if (i % 64 == 2) q.edge.edge_a[1].start.x = std::numeric_limits<double>::infinity();
        q.thickness = i % 5 == 0 || integers ? 0.0F : static_cast<float>(0.02 * noise.next());
    }
    Query* on_device = nullptr;
    Answers* answers_there = nullptr;
    if (cudaMalloc(&on_device, size * sizeof(Query)) != cudaSuccess ||
        cudaMalloc(&answers_there, size * sizeof(Answers)) != cudaSuccess)
        return 2;
    cudaMemcpy(on_device, queries.data(), size * sizeof(Query), cudaMemcpyHostToDevice);
    const auto queries_there = static_cast<std::uint32_t>(size);
    const unsigned blocks = (queries_there + 63) / 64;
    const auto ended = [](const char* what) {
        const cudaError_t status = cudaDeviceSynchronize();
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
        return status == cudaSuccess;
    };
    answer_faces<<<blocks, 64>>>(on_device, answers_there, queries_there);
    if (!ended("faces")) return 2;
    answer_edges<<<blocks, 64>>>(on_device, answers_there, queries_there);
    if (!ended("edges")) return 2;
    answer_floats<<<blocks, 64>>>(on_device, answers_there, queries_there);
    if (!ended("floats")) return 2;
    std::vector<Answers> answers(size);
    if (cudaMemcpy(answers.data(), answers_there, size * sizeof(Answers), cudaMemcpyDeviceToHost) !=
        cudaSuccess)
        return 2;
#ifdef GRAZE_EXPECT_FUSED
    std::size_t answered = 0;
    for (const Answers& a : answers)
        answered += a.face.verdict != Verdict::Unresolved || a.face.toi_lower != 0.0 ||
                    a.edge.verdict != Verdict::Unresolved || !a.hit || a.toc != 0.0F;
    std::printf("fused operations: %zu of %zu answered\n", answered, size);
    return answered == 0 ? 0 : 1;
#else
    Counts counts;
    std::size_t missed = 0;
    std::size_t late = 0;
    std::size_t hits = 0;
    for (std::size_t i = 0; i < size; ++i) {
        count(answers[i].face, graze::ccd(queries[i].face, queries[i].options), counts);
        count(answers[i].edge, graze::ccd(queries[i].edge, queries[i].options), counts);
        const CcdResult exact = exact_float_answer(queries[i]);
        hits += answers[i].hit;
        if (exact.verdict == Verdict::Separated) continue;
        missed += !answers[i].hit;
        late += static_cast<double>(answers[i].toc) > exact.toi_upper;
    }
    std::printf("%zu queries: %zu the same, %zu unresolved, %zu differ; floats: %zu hits, %zu missed, "
                "%zu late\n",
                2 * size, counts.same, counts.unresolved, counts.differ, hits, missed, late);
    return counts.differ == 0 && missed == 0 && late == 0 ? 0 : 1;
#endif
}

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    if (answered_without_sense() != 0) return 1;
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("no device");
        return 0;
    }
    return run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200'000U);
}
