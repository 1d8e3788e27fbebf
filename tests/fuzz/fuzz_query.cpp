// The input is a query: every method answers it, and is held to what it declares.
//   byte 0    kind (low two bits); bits 2 and 3: the separation; bit 4: its norm, Euclidean or max;
//             bit 7: raw doubles, else bytes on a grid of eighths
//   byte 1    t_max in 255ths
//   the rest  coordinates in the order of the query files; missing ones are zero
// Grids make degenerate queries likely and the exact truth cheap; raw doubles reach NaN, infinities
// and subnormals, where only the checks without truth are made.
#include <algorithm>
#include <array>
#include <cstring>
#include <iostream>
#include <optional>

#include "fuzz_input.hpp"
#include "graze/baselines/baselines.hpp"
#include "graze/io/query_file.hpp"
#include "graze/narrow/method.hpp"
#include "graze/oracle/oracle.hpp"
#include "graze/verify/guarantees.hpp"

namespace {

namespace fuzz = graze::io::fuzz;
namespace verify = graze::verify;
using graze::CcdOptions;
using graze::CcdResult;
using graze::QueryKind;
using graze::Verdict;
using graze::io::QueryRecord;

constexpr std::size_t kCoordinates = 24;

std::array<double, kCoordinates> coordinates(const std::uint8_t* data, std::size_t size, bool raw) {
    std::array<double, kCoordinates> values{};
    if (raw) {
        std::memcpy(values.data(), data, std::min(size, sizeof values));
        return values;
    }
    for (std::size_t i = 0; i < std::min(size, kCoordinates); ++i) {
        values[i] = static_cast<double>(static_cast<std::int8_t>(data[i])) / 8.0;
    }
    return values;
}

QueryRecord record_of(const std::array<double, kCoordinates>& values, QueryKind kind) {
    const std::size_t corners = graze::vertex_count(kind);
    QueryRecord record;
    for (std::size_t c = 0; c < corners; ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            record.corners[c].start[k] = values[3 * c + k];
            record.corners[c].end[k] = values[3 * (corners + c) + k];
        }
    }
    return record;
}

graze::oracle::Query oracle_query(const QueryRecord& record, QueryKind kind) {
    graze::oracle::Query query;
    query.kind = static_cast<graze::oracle::Kind>(kind);
    for (std::size_t c = 0; c < graze::vertex_count(kind); ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            query.start[c][k] = record.corners[c].start[k];
            query.end[c][k] = record.corners[c].end[k];
        }
    }
    return query;
}

// The exact answer for [0, t_max], in the form of a method's answer. A time strictly between
// neighbouring doubles is <= t_max iff the upper one is.
CcdResult exact_result(const graze::oracle::Truth& truth, double t_max) {
    const bool touches = truth.state == graze::oracle::State::Contact && truth.toi_upper <= t_max;
    if (!touches) return graze::separated();
    return {Verdict::Contact, truth.toi_lower, truth.toi_upper, 0};
}

// The exact answer to a query on the grid.
CcdResult exact_answer(const QueryRecord& record, QueryKind kind, const CcdOptions& options) {
    const auto norm = static_cast<graze::oracle::Norm>(options.norm);
    return exact_result(
        graze::oracle::first_within(oracle_query(record, kind), options.min_separation, norm),
        options.t_max);
}

// The method's answer against what it declares. A tolerance is held to the exact truth as well: the
// oracle is asked again where only that tells.
void require_kept(const graze::Method& method, const QueryRecord& record, QueryKind kind,
                  const CcdOptions& options, const CcdResult& truth, const CcdResult& found) {
    verify::ExactAnswers exact{truth, std::nullopt};
    if (const auto asked = verify::tolerance_question(options, truth, found)) {
        exact.at_tolerance = exact_answer(record, kind, *asked);
    }
    const auto broken = verify::broken_claims(method.guarantee, options, exact, found).first();
    if (broken) std::cerr << method.name << ": ";
    fuzz::require(!broken, broken ? verify::breach_of(*broken) : "");
}

graze::MethodRegistry all_methods() {
    graze::MethodRegistry registry = graze::builtin_methods();
    const graze::MethodRegistry baselines = graze::baseline_methods();
    for (const graze::Method& method : baselines.all())
        fuzz::require(registry.add(method).has_value(), "a method has a name of its own");
    return registry;
}

template <class Motion>
void check_methods(const QueryRecord& record, const CcdOptions& options, bool raw) {
    static const graze::MethodRegistry registry = all_methods();
    const Motion motion = graze::io::motion_of<Motion>(record);
    const CcdResult truth = raw ? CcdResult{} : exact_answer(record, Motion::kKind, options);
    for (const graze::Method& method : registry.all()) {
        const CcdResult found = graze::run(method, motion, options);
        if (!graze::is_finite_motion(motion)) {
            fuzz::require(found == CcdResult{}, "input that is not finite is unresolved");
        } else if (!graze::is_answerable<Motion>(method, options)) {
            fuzz::require(found == CcdResult{}, "what is not declared is unresolved");
        } else if (!raw) {
            require_kept(method, record, Motion::kKind, options, truth, found);
        }
    }
}

// Promises hold whatever the budget: a small one leaves time for more queries.
CcdOptions options_of(std::uint8_t first, std::uint8_t second) {
    constexpr std::array<double, 4> kSeparations = {0.0, 0.0, 0.125, 1.0};
    CcdOptions options;
    options.t_max = second / 255.0;
    options.max_checks = 2'000;
    options.min_separation = kSeparations[(first >> 2U) & 3U];
    options.norm = (first & 0x10U) != 0 ? graze::Norm::Max : graze::Norm::Euclidean;
    return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const QueryKind kind = graze::kAllQueryKinds[data[0] & 3U];
    const bool raw = (data[0] & 0x80U) != 0;
    const CcdOptions options = options_of(data[0], data[1]);
    const QueryRecord record = record_of(coordinates(data + 2, size - 2, raw), kind);
    graze::visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        check_methods<Motion>(record, options, raw);
    });
    return 0;
}
