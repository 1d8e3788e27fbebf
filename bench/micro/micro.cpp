// What single pieces cost. `graze bench` compares methods on data; this looks inside.
#include <benchmark/benchmark.h>

#include "graze/core/fp_environment.hpp"
#include "graze/generate/families.hpp"
#include "graze/narrow/box_separation.hpp"
#include "graze/oracle/oracle.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze {
namespace {

template <class Motion>
std::vector<Motion> motions(generate::Family family, std::uint64_t count) {
    std::vector<Motion> result;
    for (std::uint64_t seed = 0; seed < count; ++seed) {
        result.push_back(io::motion_of<Motion>(generate::query(family, Motion::kKind, seed)));
    }
    return result;
}

void floating_point_environment(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(fp_environment());
}
BENCHMARK(floating_point_environment);

template <class Motion>
void box_separation_batch(benchmark::State& state) {
    const auto queries = motions<Motion>(generate::Family::Ordinary, 4096);
    std::vector<CcdResult> results(queries.size());
    const Method method = make_box_separation();
    for (auto _ : state) {
        run_batch<Motion>(method, queries, {}, results);
        benchmark::DoNotOptimize(results.data());
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * queries.size()));
}
BENCHMARK_TEMPLATE(box_separation_batch, VertexFaceMotion);
BENCHMARK_TEMPLATE(box_separation_batch, EdgeEdgeMotion);

using ExactAnswer = oracle::Truth (*)(const oracle::Query&);

void exact_way(benchmark::State& state, ExactAnswer answer, generate::Family family) {
    std::vector<oracle::Query> queries;
    for (std::uint64_t seed = 0; seed < 64; ++seed) {
        queries.push_back(verify::oracle_query(generate::query(family, QueryKind::EdgeEdge, seed),
                                               QueryKind::EdgeEdge));
    }
    for (auto _ : state) {
        for (const oracle::Query& query : queries)
            benchmark::DoNotOptimize(answer(query));
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * queries.size()));
}

oracle::Truth euclidean(const oracle::Query& query) {
    return oracle::first_within(query, 0x1p-10, oracle::Norm::Euclidean);
}
oracle::Truth max_norm(const oracle::Query& query) {
    return oracle::first_within(query, 0x1p-10, oracle::Norm::Max);
}

BENCHMARK_CAPTURE(exact_way, contact_ordinary, oracle::first_contact, generate::Family::Ordinary);
BENCHMARK_CAPTURE(exact_way, contact_near, oracle::first_contact, generate::Family::Near);
BENCHMARK_CAPTURE(exact_way, decomposition_ordinary, oracle::first_contact_by_decomposition,
                  generate::Family::Ordinary);
BENCHMARK_CAPTURE(exact_way, euclidean_ordinary, euclidean, generate::Family::Ordinary);
BENCHMARK_CAPTURE(exact_way, max_norm_ordinary, max_norm, generate::Family::Ordinary);

}  // namespace
}  // namespace graze
