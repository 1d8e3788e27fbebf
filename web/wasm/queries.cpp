// Queries of two primitives: methods, verdicts, nearest points.
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "exports.hpp"
#include "graze/baselines/baselines.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/contact_point.hpp"
#include "graze/narrow/distance.hpp"
#include "graze/narrow/method.hpp"
#include "query_buffer.hpp"

namespace graze::wasm {
namespace {

// Numbers of one result: verdict, toi_lower, toi_upper, checks, tolerance.
constexpr std::size_t kResultNumbers = 5;

const std::vector<Method>& all_methods() {
    static const std::vector<Method> methods = [] {
        std::vector<Method> list;
        for (const MethodRegistry& registry : {builtin_methods(), baseline_methods()})
            list.insert(list.end(), registry.all().begin(), registry.all().end());
        return list;
    }();
    return methods;
}

// One line per method: name, role, bits of the kinds, bits of what it declares, summary.
std::string table_of_methods() {
    std::string table;
    for (const Method& method : all_methods()) {
        unsigned kinds = 0;
        for (const QueryKind kind : kAllQueryKinds)
            kinds |= supports(method, kind) ? 1U << static_cast<unsigned>(kind) : 0U;
        const Guarantee& g = method.guarantee;
        unsigned declared = 0;
        unsigned bit = 1;
        for (const bool holds : {g.no_false_negatives, g.no_false_positives, g.proved_toi_lower,
                                 g.proved_toi_upper, g.proved_tolerance, g.always_resolves,
                                 g.min_separation_euclidean, g.min_separation_max_norm}) {
            declared |= holds ? bit : 0U;
            bit *= 2;
        }
        table += std::string(method.name) + '\t' +
                 std::to_string(static_cast<unsigned>(method.role)) + '\t' + std::to_string(kinds) +
                 '\t' + std::to_string(declared) + '\t' + std::string(method.summary) + '\n';
    }
    return table;
}

void write_result(const CcdResult& result, double* to) noexcept {
    to[0] = static_cast<double>(result.verdict);
    to[1] = result.toi_lower;
    to[2] = result.toi_upper;
    to[3] = static_cast<double>(result.checks);
    to[4] = result.tolerance;
}

double* write_vector(const Vec3& v, double* to) noexcept {
    *to++ = v.x;
    *to++ = v.y;
    *to++ = v.z;
    return to;
}

}  // namespace

GRAZE_WASM_EXPORT(graze_alloc) void* graze_alloc(std::size_t bytes) {
    return std::malloc(bytes == 0 ? 1 : bytes);
}
GRAZE_WASM_EXPORT(graze_free) void graze_free(void* memory) {
    std::free(memory);
}
GRAZE_WASM_EXPORT(graze_version) const char* graze_version() {
    return GRAZE_WASM_VERSION;
}
GRAZE_WASM_EXPORT(graze_methods) const char* graze_methods() {
    static const std::string table = table_of_methods();
    return table.c_str();
}

// Answers `count` queries; results hold kResultNumbers each.
GRAZE_WASM_EXPORT(graze_run)
void graze_run(std::uint32_t method, std::uint32_t kind, std::size_t count, const double* queries,
               const double* options, double* results) {
    if (method >= all_methods().size() || kind >= kAllQueryKinds.size()) return;
    const Method& asked = all_methods()[method];
    const CcdOptions with = options_from(options);
    visit(static_cast<QueryKind>(kind), [&]<class Motion>(std::type_identity<Motion>) {
        for (std::size_t i = 0; i < count; ++i) {
            const Motion motion = motion_from<Motion>(queries + i * 6 * Motion::kVertices);
            write_result(run(asked, motion, with), results + i * kResultNumbers);
        }
    });
}

// Which tier of `certified` decides the query: its name.
GRAZE_WASM_EXPORT(graze_tier)
const char* graze_tier(std::uint32_t kind, const double* query, const double* options) {
    if (kind >= kAllQueryKinds.size()) return "";
    // The names are literals, which end in a zero.
    return visit(static_cast<QueryKind>(kind), [&]<class Motion>(std::type_identity<Motion>) {
        return name(certify_with_tier(motion_from<Motion>(query), options_from(options)).tier)
            .data();
    });
}

// u, v, point on the first, point on the second primitive, normal, distance from above, and for
// each primitive the type and the number of the feature: 16 numbers per time.
GRAZE_WASM_EXPORT(graze_nearest)
void graze_nearest(std::uint32_t kind, const double* query, std::size_t count, const double* times,
                   double* to) {
    if (kind >= kAllQueryKinds.size()) return;
    visit(static_cast<QueryKind>(kind), [&]<class Motion>(std::type_identity<Motion>) {
        const Motion motion = motion_from<Motion>(query);
        for (std::size_t i = 0; i < count; ++i) {
            const ContactPoint at = contact_point(motion, times[i]);
            *to++ = at.u;
            *to++ = at.v;
            to = write_vector(at.on_a, to);
            to = write_vector(at.on_b, to);
            to = write_vector(at.normal, to);
            *to++ = at.distance_upper;
            for (const Feature& feature : {at.feature_a, at.feature_b}) {
                *to++ = static_cast<double>(feature.type);
                *to++ = feature.index;
            }
        }
    });
}

// A proved lower bound of the distance at the start.
GRAZE_WASM_EXPORT(graze_distance_lower)
double graze_distance_lower(std::uint32_t kind, const double* query, std::uint32_t norm) {
    if (kind >= kAllQueryKinds.size()) return 0.0;
    return visit(static_cast<QueryKind>(kind), [&]<class Motion>(std::type_identity<Motion>) {
        return distance_lower(motion_from<Motion>(query), norm == 0 ? Norm::Euclidean : Norm::Max);
    });
}

}  // namespace graze::wasm
