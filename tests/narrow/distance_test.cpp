// The proved lower bound of the distance, against the oracle: never above, and hardly below.
#include "graze/narrow/distance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/exact_reference.hpp"
#include "graze/core/rounding.hpp"
#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/verify/exact_check.hpp"

namespace graze {
namespace {

using generate::Family;
using io::QueryRecord;

double bound_of(QueryKind kind, const QueryRecord& record, Norm norm) {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return distance_lower(io::motion_of<Motion>(record), norm);
    });
}

// Are they within d of each other at the start?
bool is_within(QueryKind kind, QueryRecord record, double d, Norm norm) {
    for (MovingPoint& corner : record.corners)
        corner.end = corner.start;
    const CcdOptions options{.min_separation = d, .norm = norm};
    return verify::exact_answer({kind, record, options}).verdict == Verdict::Contact;
}

TEST(DistanceLower, IsNeverAboveTheDistanceAndHardlyBelow) {
    int apart = 0;
    int sharp = 0;
    for (const Family family : generate::kAllFamilies) {
        const std::uint64_t count = family == Family::Wild ? 8 : 30;
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 0; seed < count; ++seed) {
                const QueryRecord record = generate::query(family, kind, seed);
                for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
                    const double bound = bound_of(kind, record, norm);
                    ASSERT_GE(bound, 0.0);
                    if (bound == 0.0) continue;
                    ++apart;
                    // At distance d the answer is Contact: just below it must not be.
                    ASSERT_FALSE(is_within(kind, record, bound * (1 - 0x1p-52), norm))
                        << generate::name(family) << " #" << seed << '\n'
                        << io::to_hex(record, kind);
                    sharp += is_within(kind, record, bound * (1 + 0x1p-40), norm) ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GT(apart, 500);
    EXPECT_GT(sharp, apart / 2);
}

// Of primitives that are much larger than their distance the products cancel: only the error term
// keeps the bound below it (CS-10). Edges and faces across a plane of any direction, at 2^-10 to 2 of
// their size.
TEST(DistanceLower, IsNeverAboveTheDistanceOfLargePrimitives) {
    exact::DoubleSource source(7);
    const auto between = [&](double low, double high) {
        return low + (high - low) * std::ldexp(static_cast<double>(source.bits() >> 11), -53);
    };
    for (int i = 0; i < 1500; ++i) {
        const Vec3 n = {between(-1, 1), between(-1, 1), between(0.25, 1)};
        const double height = std::ldexp(between(1, 2), source.integer(-10, 0));
        const auto point = [&](double at) {
            const double x = between(-1, 1);
            const double y = between(-1, 1);
            const Vec3 p = {x, y, (at - n.x * x - n.y * y) / n.z};
            return MovingPoint{p, p};
        };
        QueryRecord record;
        const QueryKind kind = i % 2 == 0 ? QueryKind::VertexFace : QueryKind::EdgeEdge;
        const int above = kind == QueryKind::VertexFace ? 1 : 2;
        for (int corner = 0; corner < 4; ++corner)
            record.corners[static_cast<std::size_t>(corner)] = point(corner < above ? height : 0.0);
        for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
            const double bound = bound_of(kind, record, norm);
            ASSERT_GT(bound, 0.0);
            ASSERT_FALSE(is_within(kind, record, next_down(bound), norm))
                << i << '\n'
                << io::to_hex(record, kind);
        }
    }
}

TEST(DistanceLower, HasTheUnitsOfTheCoordinates) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const QueryRecord record = generate::query(Family::Ordinary, QueryKind::EdgeEdge, seed);
        QueryRecord scaled = record;
        for (MovingPoint& corner : scaled.corners)
            corner = {0x1p-300 * corner.start, 0x1p-300 * corner.end};
        EXPECT_EQ(bound_of(QueryKind::EdgeEdge, scaled, Norm::Euclidean),
                  0x1p-300 * bound_of(QueryKind::EdgeEdge, record, Norm::Euclidean));
    }
}

TEST(DistanceLower, ProvesNothingOfWhatIsNotFinite) {
    VertexVertexMotion motion;
    motion.a.start = {1.0, 2.0, std::nan("")};
    EXPECT_EQ(distance_lower(motion), 0.0);
    motion.a.start = {1.0, 2.0, 2.0};
    motion.a.end.x = kInfinity;  // not looked at
    EXPECT_NEAR(distance_lower(motion), 3.0, 1e-12);
}

}  // namespace
}  // namespace graze
