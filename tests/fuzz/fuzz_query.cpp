// The input is a query: every method answers it, and is held to what it declares.
//   byte 0    kind (low two bits); bit 7: raw doubles, else bytes on a grid of eighths
//   byte 1    t_max in 255ths
//   the rest  coordinates in the order of the query files; missing ones are zero
// Grids make degenerate queries likely and the exact truth cheap; raw doubles reach NaN, infinities
// and subnormals, where only the checks without truth are made.
#include <algorithm>
#include <array>
#include <cstring>

#include "contract/promises.hpp"
#include "fuzz_input.hpp"
#include "graze/dataset/query_file.hpp"
#include "graze/narrow/method.hpp"
#include "graze/oracle/oracle.hpp"

namespace {

namespace fuzz = graze::dataset::fuzz;
using graze::CcdResult;
using graze::QueryKind;
using graze::Verdict;
using graze::dataset::QueryRecord;

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
    const std::size_t corners = graze::corner_count(kind);
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
    for (std::size_t c = 0; c < graze::corner_count(kind); ++c) {
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

template <class Motion>
void check_methods(const QueryRecord& record, double t_max, bool raw) {
    static const graze::MethodRegistry registry = graze::builtin_methods();
    const Motion motion = graze::dataset::motion_of<Motion>(record);
    const graze::oracle::Truth truth =
        raw ? graze::oracle::Truth{}
            : graze::oracle::first_contact(oracle_query(record, Motion::kKind));
    for (const graze::Method& method : registry.all()) {
        const CcdResult found = graze::run(method, motion, {.t_max = t_max});
        if (!graze::is_finite_motion(motion)) {
            fuzz::require(found == CcdResult{}, "input that is not finite is unresolved");
        } else if (!raw) {
            const auto broken =
                graze::testing::broken_promise(method.guarantee, exact_result(truth, t_max), found);
            fuzz::require(!broken.has_value(), broken.value_or(""));
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const QueryKind kind = graze::kAllQueryKinds[data[0] & 3U];
    const bool raw = (data[0] & 0x80U) != 0;
    const double t_max = data[1] / 255.0;
    const QueryRecord record = record_of(coordinates(data + 2, size - 2, raw), kind);
    switch (kind) {
        case QueryKind::VertexFace:
            check_methods<graze::VertexFaceMotion>(record, t_max, raw);
            break;
        case QueryKind::EdgeEdge:
            check_methods<graze::EdgeEdgeMotion>(record, t_max, raw);
            break;
        case QueryKind::VertexVertex:
            check_methods<graze::VertexVertexMotion>(record, t_max, raw);
            break;
        case QueryKind::VertexEdge:
            check_methods<graze::VertexEdgeMotion>(record, t_max, raw);
            break;
    }
    return 0;
}
