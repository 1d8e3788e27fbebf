#include "graze/verify/answers.hpp"

#include <fmt/format.h>

#include <bit>
#include <chrono>

#include "graze/io/hex_float.hpp"
#include "graze/verify/heap_probe.hpp"

namespace graze::verify {
namespace {

// Motions are made before the clock starts, so that only the query itself is timed.
template <class Motion>
std::vector<Answer> answers_for(const Run& job, std::span<const io::QueryRecord> records) {
    using Clock = std::chrono::steady_clock;
    std::vector<Motion> motions;
    motions.reserve(records.size());
    for (const io::QueryRecord& record : records) {
        motions.push_back(io::motion_of<Motion>(record));
    }
    std::vector<Answer> answers(records.size());
    const HeapProbe heap = heap_probe();
    for_each_index(job.workers, records.size(), [&](std::size_t i) {
        if (heap.begin != nullptr) heap.begin();
        const Clock::time_point start = Clock::now();
        answers[i].result = run(job.method, motions[i], job.options);
        const std::chrono::nanoseconds taken = Clock::now() - start;
        answers[i].ns = static_cast<std::uint64_t>(taken.count());
        if (heap.peak != nullptr) answers[i].heap_bytes = heap.peak();
        answers[i].over_budget = is_over_budget(job.options, answers[i].result);
    });
    return answers;
}

// A method for batches gets all of them at once; each query has its fraction of the time.
template <class Motion>
std::vector<Answer> batch_answers_for(const Run& job, std::span<const io::QueryRecord> records) {
    using Clock = std::chrono::steady_clock;
    std::vector<Motion> motions;
    motions.reserve(records.size());
    for (const io::QueryRecord& record : records)
        motions.push_back(io::motion_of<Motion>(record));
    std::vector<CcdResult> results(records.size());
    const Clock::time_point start = Clock::now();
    run_batch<Motion>(job.method, motions, job.options, results);
    const std::chrono::nanoseconds taken = Clock::now() - start;
    std::vector<Answer> answers(records.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
        answers[i].result = results[i];
        answers[i].ns = static_cast<std::uint64_t>(taken.count()) / answers.size();
        answers[i].over_budget = is_over_budget(job.options, results[i]);
    }
    return answers;
}

}  // namespace

bool answers_batches(const Method& method, QueryKind kind) noexcept {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return functions_of<Motion>(method).batch != nullptr;
    });
}

std::vector<Answer> answers_of(const Run& run, std::span<const io::QueryRecord> records) {
    return visit(run.kind, [&]<class Motion>(std::type_identity<Motion>) {
        return functions_of<Motion>(run.method).batch != nullptr
                   ? batch_answers_for<Motion>(run, records)
                   : answers_for<Motion>(run, records);
    });
}

CcdResult answer_of(const Method& method, QueryKind kind, const io::QueryRecord& record,
                    const CcdOptions& options) noexcept {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return run(method, io::motion_of<Motion>(record), options);
    });
}

std::string result_columns(std::uint64_t index, const CcdResult& result) {
    return fmt::format("{},{},{},{}", index, name(result.verdict),
                       io::to_shortest(result.toi_lower), io::to_shortest(result.toi_upper));
}

void ResultHash::add(const CcdResult& result) noexcept {
    hash_.add(static_cast<std::uint64_t>(result.verdict), 1);
    hash_.add(std::bit_cast<std::uint64_t>(result.toi_lower), 8);
    hash_.add(std::bit_cast<std::uint64_t>(result.toi_upper), 8);
}

std::string ResultHash::hex() const {
    return fmt::format("{:016x}", hash_.value());
}

}  // namespace graze::verify
