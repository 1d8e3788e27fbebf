#include <algorithm>
#include <memory>

#include "graze/baselines/baselines.hpp"
#include "graze/core/elementary.hpp"
#include "graze/core/pose.hpp"
#include "graze/narrow/contact_point.hpp"
#include "graze/narrow/distance.hpp"
#include "graze/narrow/method.hpp"
#include "graze/narrow/query_kind.hpp"
#include "graze/narrow/start_separation.hpp"
#include "platforms/parts.hpp"

namespace graze::platforms {
namespace {

// What a bisection may take: budgets that run out are results, too.
constexpr std::uint64_t kMostChecks = 4000;

constexpr std::uint32_t kFamilies = 7;
constexpr std::uint32_t kQueriesOfFamily = 12;

double power(int exponent) {
    double result = 1.0;
    for (int i = 0; i < exponent; ++i)
        result *= 2.0;
    for (int i = 0; i < -exponent; ++i)
        result *= 0.5;
    return result;
}

// One vertex of a query of the family.
MovingPoint vertex_of(Numbers& numbers, std::uint32_t family) {
    MovingPoint p{numbers.vector(), numbers.vector()};
    switch (family) {
        case 0:  // anything
            break;
        case 1:  // small whole numbers: parallel, in one plane, touching at the start
            p = {numbers.grid_vector(1), numbers.grid_vector(2)};
            break;
        case 2:  // nearly still, far away
            p.start = p.start + Vec3{1000.0, 1000.0, 0.0};
            p.end = p.start + 0x1p-10 * p.end;
            break;
        case 3:  // in one plane, through which only some vertices move
            p.start.z = 0.0;
            p.end.z *= 0x1p-30;
            break;
        case 4:  // of very different sizes
            p = {power(static_cast<int>(numbers.below(60)) - 30) * p.start,
                 power(static_cast<int>(numbers.below(60)) - 30) * p.end};
            break;
        case 5:  // tiny: subnormal products
            p = {0x1p-500 * (0x1p-30 * p.start), 0x1p-500 * (0x1p-30 * p.end)};
            break;
        default:  // at rest, on a grid
            p.start = p.end = numbers.grid_vector(2);
            break;
    }
    return p;
}

template <QueryMotion Motion>
std::vector<Motion> queries_of(std::uint32_t family) {
    Numbers numbers(1000 * family + static_cast<std::uint64_t>(Motion::kKind));
    std::vector<Motion> result;
    for (std::uint32_t i = 0; i < kQueriesOfFamily; ++i) {
        std::array<MovingPoint, Motion::kVertices> v;
        for (MovingPoint& p : v)
            p = vertex_of(numbers, family);
        result.push_back(motion_from_vertices<Motion>(v));
    }
    return result;
}

std::vector<CcdOptions> option_sets() {
    CcdOptions plain;
    plain.max_checks = kMostChecks;
    CcdOptions euclidean = plain;
    euclidean.min_separation = 0x1.9p-5;
    CcdOptions maximum = euclidean;
    maximum.norm = Norm::Max;
    CcdOptions narrow = plain;
    narrow.time_width = 0x1p-50;
    narrow.t_max = 0.75;
    return {plain, euclidean, maximum, narrow};
}

void add_result(Hash& hash, const CcdResult& r) {
    hash.add(r.verdict);
    hash.add(r.toi_lower);
    hash.add(r.toi_upper);
    hash.add(r.checks);
    hash.add(r.tolerance);
}

template <QueryMotion Motion>
void add_answers(Hash& hash, const Method& method) {
    for (std::uint32_t family = 0; family < kFamilies; ++family) {
        const std::vector<Motion> motions = queries_of<Motion>(family);
        for (const CcdOptions& options : option_sets()) {
            for (const Motion& motion : motions)
                add_result(hash, run(method, motion, options));
        }
        std::vector<CcdResult> results(motions.size());
        run_batch<Motion>(method, motions, option_sets()[0], results);
        for (const CcdResult& r : results)
            add_result(hash, r);
    }
}

std::uint64_t hash_of_method(const Method& method) {
    Hash hash;
    for (const QueryKind kind : kAllQueryKinds) {
        visit(kind,
              [&]<class Motion>(std::type_identity<Motion>) { add_answers<Motion>(hash, method); });
    }
    return hash.value();
}

void add_contact(Hash& hash, const ContactPoint& c) {
    hash.add(c.u);
    hash.add(c.v);
    hash.add(c.on_a);
    hash.add(c.on_b);
    hash.add(c.feature_a.type);
    hash.add(c.feature_a.index);
    hash.add(c.feature_b.type);
    hash.add(c.feature_b.index);
    hash.add(c.normal);
    hash.add(c.distance_upper);
}

std::uint64_t hash_of_distances() {
    Hash hash;
    for (const QueryKind kind : kAllQueryKinds) {
        visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
            for (std::uint32_t family = 0; family < kFamilies; ++family) {
                for (const Motion& motion : queries_of<Motion>(family)) {
                    hash.add(distance_lower(motion, Norm::Euclidean));
                    hash.add(distance_lower(motion, Norm::Max));
                    hash.add(free_time_from_start(motion, 0.0));
                    hash.add(free_time_from_start(motion, 0x1p-6));
                    for (const double time : {0.0, 0.40625, 1.0})
                        add_contact(hash, contact_point(motion, time));
                }
            }
        });
    }
    return hash.value();
}

// Sines, arcs and lengths, at sizes where C libraries differ.
std::uint64_t hash_of_elementary() {
    Hash hash;
    Numbers numbers(77);
    for (int i = 0; i < 20'000; ++i) {
        const double x = numbers.number() * power(static_cast<int>(numbers.below(40)) - 20);
        const double y = numbers.number() * power(static_cast<int>(numbers.below(40)) - 20);
        for (const double value : {sine(x), cosine(x), tangent(x), arc_tangent(y, x), arc_sine(x),
                                   sine(0x1p200 * x), exponential(x), cube_root(x)})
            hash.add(value);
        hash.add(logarithm(x < 0.0 ? -x : x));
        const Vec3 v{x, y, numbers.number()};
        hash.add(norm(v));
        hash.add(norm(Vec3f{static_cast<float>(x), static_cast<float>(y), 0.5F}));
        const Quaternion q = rotation_about(v, 10.0 * y);
        for (const double value : {q.w, q.x, q.y, q.z})
            hash.add(value);
    }
    return hash.value();
}

}  // namespace

void add_query_parts(std::vector<Part>& parts) {
    parts.push_back({"core.elementary", hash_of_elementary});
    for (const MethodRegistry& methods : {builtin_methods(), baseline_methods()}) {
        for (const Method& method : methods.all())
            parts.push_back(
                {"query." + std::string(method.name), [method] { return hash_of_method(method); }});
    }
    parts.push_back({"query.distances-and-points", hash_of_distances});
}

}  // namespace graze::platforms
