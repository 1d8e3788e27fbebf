#include "graze/verify/oracle_method.hpp"

#include <exception>

namespace graze::verify {
namespace {

oracle::Kind oracle_kind(QueryKind kind) noexcept {
    switch (kind) {
        case QueryKind::VertexFace:
            return oracle::Kind::VertexFace;
        case QueryKind::EdgeEdge:
            return oracle::Kind::EdgeEdge;
        case QueryKind::VertexVertex:
            return oracle::Kind::VertexVertex;
        case QueryKind::VertexEdge:
            break;
    }
    return oracle::Kind::VertexEdge;
}

oracle::Truth truth_as_asked(const oracle::Query& query, const CcdOptions& options) {
    if (options.min_separation == 0.0) return oracle::first_contact(query);
    return oracle::first_within(query, options.min_separation, oracle_norm(options.norm));
}

// The oracle allocates, and throws when it contradicts itself; a method does not
// throw, and answers that nothing is known.
template <class Motion>
CcdResult ask_oracle(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    try {
        const oracle::Query query = oracle_query(io::record_of(motion), Motion::kKind);
        return result_up_to(truth_as_asked(query, options), options.t_max);
    } catch (const std::exception&) {
        return {};
    }
}

}  // namespace

oracle::Query oracle_query(const io::QueryRecord& record, QueryKind kind) noexcept {
    oracle::Query query;
    query.kind = oracle_kind(kind);
    for (std::size_t c = 0; c < vertex_count(kind); ++c) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            query.start[c][axis] = record.corners[c].start[axis];
            query.end[c][axis] = record.corners[c].end[axis];
        }
    }
    return query;
}

oracle::Norm oracle_norm(Norm norm) noexcept {
    return norm == Norm::Euclidean ? oracle::Norm::Euclidean : oracle::Norm::Max;
}

// Let e be the exact first time, L = toi_lower, U = toi_upper. Either L = e = U, or e is no double
// and L < e < U with no double between L and U. t_max is a double. So
//   L = U:  e <= t_max  iff  U <= t_max;
//   L < U:  e <= t_max  iff  e < t_max (e is no double)  iff  U <= t_max (no double in (L, U)).
// In both cases contact in [0, t_max] is exactly U <= t_max: no straddling bracket is left over.
CcdResult result_up_to(const oracle::Truth& truth, double t_max) noexcept {
    constexpr std::uint64_t kOneCheck = 1;
    if (truth.state == oracle::State::Invalid) return {};
    if (truth.state == oracle::State::Separated || truth.toi_upper > t_max) {
        return separated(kOneCheck);
    }
    return {Verdict::Contact, truth.toi_lower, truth.toi_upper, kOneCheck, 0.0};
}

Method make_oracle() noexcept {
    return {.name = "oracle",
            .summary = "ground truth with integers of any size",
            .guarantee = {.no_false_negatives = true,
                          .no_false_positives = true,
                          .proved_toi_lower = true,
                          .proved_toi_upper = true,
                          .proved_tolerance = true,
                          .progress_when_separated = true,
                          .always_resolves = true,
                          .scale_invariant = true,
                          .exact_separations = true,
                          .min_separation_euclidean = true,
                          .min_separation_max_norm = true},
            .role = MethodRole::GroundTruth,
            .vertex_face = {&ask_oracle<VertexFaceMotion>},
            .edge_edge = {&ask_oracle<EdgeEdgeMotion>},
            .vertex_vertex = {&ask_oracle<VertexVertexMotion>},
            .vertex_edge = {&ask_oracle<VertexEdgeMotion>}};
}

}  // namespace graze::verify
