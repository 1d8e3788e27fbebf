// Queries of two primitives, one or many.
#include <array>

#include "errors.hpp"
#include "graze.h"
#include "graze/ccd.hpp"
#include "graze/narrow/distance.hpp"
#include "graze/narrow/query_kind.hpp"
#include "views.hpp"

namespace graze::capi {
namespace {

// The numbers of the interface are those of the library.
static_assert(GRAZE_SEPARATED == static_cast<int>(Verdict::Separated) &&
              GRAZE_CONTACT == static_cast<int>(Verdict::Contact) &&
              GRAZE_UNRESOLVED == static_cast<int>(Verdict::Unresolved));
static_assert(GRAZE_VERTEX_FACE == static_cast<int>(QueryKind::VertexFace) &&
              GRAZE_EDGE_EDGE == static_cast<int>(QueryKind::EdgeEdge) &&
              GRAZE_VERTEX_VERTEX == static_cast<int>(QueryKind::VertexVertex) &&
              GRAZE_VERTEX_EDGE == static_cast<int>(QueryKind::VertexEdge));
static_assert(static_cast<int>(Feature::Type::Corner) == 0 &&
              static_cast<int>(Feature::Type::Edge) == 1 &&
              static_cast<int>(Feature::Type::Face) == 2);
// Layouts that the header states.
static_assert(sizeof(graze_result) == 40 && sizeof(graze_contact) == 112);
static_assert(sizeof(void*) != 8 || sizeof(graze_view) == 48);
static_assert(sizeof(graze_query_options) == 56);

constexpr std::uint64_t kOldestQueryOptions = 56;

graze_query_options default_query_options() noexcept {
    graze_query_options options{};
    options.size = sizeof options;
    write_query(CcdOptions{}, options);
    return options;
}

graze_status check_kind(graze_kind kind) noexcept {
    if (kind >= GRAZE_VERTEX_FACE && kind <= GRAZE_VERTEX_EDGE) return GRAZE_OK;
    return fail(GRAZE_OUT_OF_RANGE, "there is no kind %d", kind);
}

graze_status read_query_options(const graze_query_options* given, CcdOptions& options) {
    if (given == nullptr) return GRAZE_OK;  // the defaults need no check
    graze_query_options values = default_query_options();
    if (const graze_status status = read_options(given, kOldestQueryOptions, "options", values))
        return status;
    return read_query(values, options);
}

// Of packed coordinates.
template <class Motion>
Motion packed_motion(const double* start, const double* end) noexcept {
    std::array<MovingPoint, Motion::kVertices> points;
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i] = {read_vector(start + 3 * i), read_vector(end + 3 * i)};
    return motion_from_vertices<Motion>(points);
}

template <class Motion>
Motion viewed_motion(const CheckedView& start, const CheckedView& end, std::uint64_t i) noexcept {
    std::array<MovingPoint, Motion::kVertices> points;
    for (std::size_t k = 0; k < points.size(); ++k)
        points[k] = {start.point(i, k), end.point(i, k)};
    return motion_from_vertices<Motion>(points);
}

// What a query of packed coordinates needs; afterwards the kind is valid.
Checks check_packed(graze_kind kind, const double* start, const double* end,
                    std::uint64_t coordinates) noexcept {
    Checks checks;
    checks.then([&] { return check_kind(kind); });
    if (checks.failed()) return checks;
    checks.not_null(start, "start").not_null(end, "end");
    return checks.same(coordinates, 3 * vertex_count(static_cast<QueryKind>(kind)), "coordinates");
}

// Calls use(motion) for the motion of that kind; fails where a coordinate is not finite.
template <class Use>
graze_status with_packed_motion(graze_kind kind, const double* start, const double* end, Use use) {
    return visit(static_cast<QueryKind>(kind), [&]<class Motion>(std::type_identity<Motion>) {
        const auto motion = packed_motion<Motion>(start, end);
        use(motion);
        if (is_finite_motion(motion)) return graze_status{GRAZE_OK};
        for (std::uint64_t i = 0; i < 3 * Motion::kVertices; ++i) {
            const char* name = !is_finite(start[i]) ? "start"
                               : !is_finite(end[i]) ? "end"
                                                    : nullptr;
            if (name != nullptr)
                return fail_at(GRAZE_NOT_FINITE, i, "%s: coordinate %d is not finite", name,
                               static_cast<int>(i));
        }
        return graze_status{GRAZE_OK};
    });
}

// Batches are answered so many at a time, from motions on the stack.
constexpr std::size_t kChunk = 64;

template <class Motion>
graze_status answer_batch(const CheckedView& start, const CheckedView& end,
                          const CcdOptions& options, graze_result* results) {
    std::array<Motion, kChunk> motions;
    std::array<CcdResult, kChunk> answers;
    graze_status status = GRAZE_OK;
    for (std::uint64_t first = 0; first < start.size(); first += kChunk) {
        const auto size = std::min<std::uint64_t>(kChunk, start.size() - first);
        for (std::size_t i = 0; i < size; ++i) {
            motions[i] = viewed_motion<Motion>(start, end, first + i);
            if (status == GRAZE_OK && !is_finite_motion(motions[i]))
                status =
                    fail_at(GRAZE_NOT_FINITE, first + i, "query %llu: a coordinate is not finite",
                            static_cast<unsigned long long>(first + i));
        }
        const Expected<void> done = ccd(std::span<const Motion>(motions.data(), size),
                                        std::span<CcdResult>(answers.data(), size), options);
        if (!done) return fail("", done.error());
        for (std::size_t i = 0; i < size; ++i)
            results[first + i] = to_c(answers[i]);
    }
    return status;
}

}  // namespace
}  // namespace graze::capi

using namespace graze::capi;

graze_status graze_query_options_init(graze_query_options* options, uint64_t size) noexcept {
    return init_options(options, kOldestQueryOptions, size, default_query_options());
}

graze_status graze_ccd(graze_kind kind, const double* start, const double* end,
                       uint64_t coordinates, const graze_query_options* options,
                       graze_result* result) noexcept {
    return guarded([&] {
        write(result, to_c(graze::CcdResult{}));
        graze::CcdOptions query;
        Checks checks = check_packed(kind, start, end, coordinates);
        checks.not_null(result, "result").then([&] { return read_query_options(options, query); });
        if (checks.failed()) return checks.status();
        return with_packed_motion(kind, start, end, [&](const auto& motion) {
            *result = to_c(graze::ccd(motion, query));
        });
    });
}

graze_status graze_ccd_batch(graze_kind kind, const graze_view* start, const graze_view* end,
                             const graze_query_options* options, graze_result* results,
                             uint64_t count) noexcept {
    return guarded([&] {
        if (const graze_status status = check_kind(kind)) return status;
        const auto query_kind = static_cast<graze::QueryKind>(kind);
        CheckedView from;
        CheckedView to;
        graze::CcdOptions query;
        const std::uint64_t points = graze::vertex_count(query_kind);
        Checks checks;
        checks.then([&] { return from.set(start, points, "start"); })
            .then([&] { return to.set(end, points, "end"); })
            .list(results, count, "results")
            .same(from.size(), count, "start")
            .same(to.size(), count, "end")
            .then([&] { return read_query_options(options, query); });
        if (checks.failed()) return checks.status();
        return graze::visit(query_kind, [&]<class Motion>(std::type_identity<Motion>) {
            return answer_batch<Motion>(from, to, query, results);
        });
    });
}

graze_status graze_distance_lower(graze_kind kind, const double* positions, uint64_t coordinates,
                                  graze_norm norm, double* distance) noexcept {
    return guarded([&] {
        write(distance, 0.0);
        Checks checks = check_packed(kind, positions, positions, coordinates);
        checks.not_null(distance, "distance");
        if (checks.failed()) return checks.status();
        if (norm != GRAZE_EUCLIDEAN && norm != GRAZE_MAX_NORM)
            return fail(GRAZE_OUT_OF_RANGE, "there is no norm %d", norm);
        const auto in_norm = norm == GRAZE_MAX_NORM ? graze::Norm::Max : graze::Norm::Euclidean;
        return with_packed_motion(kind, positions, positions, [&](const auto& motion) {
            *distance = graze::distance_lower(motion, in_norm);
        });
    });
}

graze_status graze_contact_point(graze_kind kind, const double* start, const double* end,
                                 uint64_t coordinates, double t, graze_contact* contact) noexcept {
    return guarded([&] {
        write(contact, no_contact());
        Checks checks = check_packed(kind, start, end, coordinates);
        checks.not_null(contact, "contact");
        if (checks.failed()) return checks.status();
        if (!(t >= 0.0 && t <= 1.0)) return fail(GRAZE_OUT_OF_RANGE, "t is %g, not in [0, 1]", t);
        return with_packed_motion(kind, start, end, [&](const auto& motion) {
            *contact = to_c(graze::contact_point(motion, t));
        });
    });
}
