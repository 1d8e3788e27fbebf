// Minimum separation of `certified` against the oracle, in both norms: families of queries at
// separations of every size, and separations that are the exact distance, or the next double.
#include "narrow/certified/separation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "graze/core/power_of_two.hpp"
#include "graze/core/rounding.hpp"
#include "graze/dataset/generate.hpp"
#include "graze/dataset/hex_float.hpp"
#include "narrow/certified/nearest.hpp"
#include "oracle_method.hpp"

namespace graze::certified {
namespace {

using dataset::Family;
using dataset::QueryRecord;

constexpr std::array<Norm, 2> kNorms = {Norm::Euclidean, Norm::Max};
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

CcdResult ask(QueryKind kind, const QueryRecord& record, const CcdOptions& options) {
    switch (kind) {
        case QueryKind::VertexFace:
            return within_separation(dataset::motion_of<VertexFaceMotion>(record), options);
        case QueryKind::EdgeEdge:
            return within_separation(dataset::motion_of<EdgeEdgeMotion>(record), options);
        case QueryKind::VertexVertex:
            return within_separation(dataset::motion_of<VertexVertexMotion>(record), options);
        case QueryKind::VertexEdge:
            break;
    }
    return within_separation(dataset::motion_of<VertexEdgeMotion>(record), options);
}

CcdResult exact_answer(QueryKind kind, const QueryRecord& record, double d, Norm norm,
                       double t_max) {
    const oracle::Query query = tools::oracle_query(record, kind);
    return tools::result_up_to(oracle::first_within(query, d, tools::oracle_norm(norm)), t_max);
}

std::string describe(QueryKind kind, const QueryRecord& record, const CcdOptions& options) {
    return std::string(options.norm == Norm::Max ? "max" : "euclidean") +
           " d = " + dataset::to_hex(options.min_separation) + "\n" + dataset::to_hex(record, kind);
}

// The first thing that is wrong with an answer; empty if nothing is.
std::string fault(QueryKind kind, const QueryRecord& record, const CcdOptions& options,
                  const CcdResult& truth, const CcdResult& found) {
    const bool touches = truth.verdict == Verdict::Contact;
    if (found.verdict == Verdict::Separated) {
        if (touches) return "a contact is called separated";
        return found == separated(found.checks) ? "" : "separated with a finite number";
    }
    if (!(found.toi_lower >= 0.0 && found.toi_lower <= found.toi_upper)) return "times in disorder";
    if (touches && !(found.toi_lower <= truth.toi_lower)) return "toi_lower is late";
    if (found.verdict == Verdict::Unresolved) {
        return found.toi_upper == kInfinity && found.tolerance == kInfinity
                   ? ""
                   : "unresolved with a finite number";
    }
    if (!(found.tolerance >= 0.0 && found.tolerance <= options.distance_tolerance)) {
        return "the tolerance is out of its range";
    }
    if (!(found.toi_upper <= options.t_max)) return "toi_upper is beyond t_max";
    if (touches && found.toi_upper >= truth.toi_upper) return "";
    const double reach = add_up(options.min_separation, found.tolerance);
    const CcdResult near = exact_answer(kind, record, reach, options.norm, options.t_max);
    if (near.verdict != Verdict::Contact) return "not as near as the tolerance says";
    return found.toi_upper >= near.toi_upper ? "" : "toi_upper is early";
}

struct Sums {
    int asked = 0;
    int separated = 0;
    int contact = 0;
    int proved_within = 0;  // contact, tolerance 0
    int unresolved = 0;
    int wide = 0;
    int no_progress = 0;  // apart at the start, toi_lower = 0
    std::uint64_t checks = 0;
    std::uint64_t most_checks = 0;
};
std::ostream& operator<<(std::ostream& out, const Sums& s) {
    return out << s.asked << " asked, " << s.separated << " separated, " << s.contact
               << " contact (" << s.proved_within << " within d, " << s.wide << " wide), "
               << s.unresolved << " unresolved, " << s.no_progress << " without progress, "
               << s.checks << " checks, at most " << s.most_checks;
}

void judge(QueryKind kind, const QueryRecord& record, const CcdOptions& options, Sums& sums) {
    const CcdResult found = ask(kind, record, options);
    const CcdResult truth =
        exact_answer(kind, record, options.min_separation, options.norm, options.t_max);
    const std::string wrong = fault(kind, record, options, truth, found);
    ASSERT_EQ(wrong, "") << describe(kind, record, options) << '\n'
                         << dataset::to_hex(found.toi_lower) << ' '
                         << dataset::to_hex(found.toi_upper);
    const bool contact = found.verdict == Verdict::Contact;
    ++sums.asked;
    sums.separated += found.verdict == Verdict::Separated ? 1 : 0;
    sums.contact += contact ? 1 : 0;
    sums.proved_within += contact && found.tolerance == 0.0 ? 1 : 0;
    sums.wide += contact && found.toi_upper - found.toi_lower > options.time_width ? 1 : 0;
    sums.unresolved += found.verdict == Verdict::Unresolved ? 1 : 0;
    sums.no_progress += truth.toi_lower > 0.0 && found.toi_lower == 0.0 ? 1 : 0;
    sums.checks += found.checks;
    sums.most_checks = std::max(sums.most_checks, found.checks);
}

template <class Check>
void for_each_generated(std::uint64_t count, const Check& check) {
    for (const Family family : dataset::kAllFamilies) {
        for (const QueryKind kind : kAllQueryKinds) {
            const std::uint64_t seeds = family == Family::Wild ? count / 8 : count;
            for (std::uint64_t seed = 0; seed < seeds; ++seed)
                check(family, kind, dataset::generate(family, kind, seed));
        }
    }
}

TEST(CertifiedSeparation, IsRightOnEveryFamilyKindNormAndSeparation) {
    for (const Norm norm : kNorms) {
        for (const double d : {1e-16, 1e-8, 1e-2, 0.5, 2.0}) {
            Sums sums;
            for_each_generated(16, [&](Family, QueryKind kind, const QueryRecord& record) {
                judge(kind, record, {.min_separation = d, .norm = norm, .max_checks = 10000}, sums);
            });
            std::cout << (norm == Norm::Max ? "max " : "euclidean ") << d << ": " << sums << '\n';
            EXPECT_GT(sums.separated, sums.asked / 40);
            EXPECT_GT(sums.contact, sums.asked / 40);
        }
    }
}

}  // namespace
}  // namespace graze::certified
